// What a form asks, as data.

export const answerTypes = [
  { value: "text", label: "Text" },
  { value: "notes", label: "Long text" },
  { value: "email", label: "Email" },
  { value: "tel", label: "Phone" },
  { value: "url", label: "Website" },
  { value: "state", label: "State" },
  { value: "zip", label: "ZIP code" },
  { value: "ein", label: "EIN" },
  { value: "ssn", label: "Social Security number" },
  { value: "account", label: "Bank account number" },
  { value: "money", label: "Dollar amount" },
  { value: "number", label: "Whole number" },
  { value: "date", label: "Date" },
  { value: "choice", label: "Choice" },
  { value: "checkbox", label: "Checkbox" },
];

/** A field of a form. Its key keeps it apart while it is edited; one that is fresh is not saved yet. */
export type Field = {
  key: number;
  fresh: boolean;
  name: string;
  label: string;
  help: string;
  type: string;
  required: boolean;
  options: string[];
  mapsTo: string[];
};

let keys = 0;
const nextKey = () => ++keys;

const texts = (value: unknown) => (Array.isArray(value) ? value.filter((v): v is string => typeof v === "string") : []);

/** fieldsOf reads what is stored. */
export function fieldsOf(stored: unknown): Field[] {
  return (Array.isArray(stored) ? (stored as Record<string, unknown>[]) : []).map((f) => ({
    key: nextKey(),
    fresh: false,
    name: String(f.name ?? ""),
    label: String(f.label ?? ""),
    help: String(f.help ?? ""),
    type: String(f.type ?? "text"),
    required: f.required === true,
    options: texts(f.options),
    mapsTo: texts(f.mapsTo),
  }));
}

/** newField asks for a line of text until it is told otherwise. */
export const newField = (): Field => ({
  key: nextKey(),
  fresh: true,
  name: "",
  label: "",
  help: "",
  type: "text",
  required: false,
  options: [],
  mapsTo: [],
});

/** toStore is what the server keeps of the fields. */
export const toStore = (fields: Field[]) =>
  fields.map(({ name, label, help, type, required, options, mapsTo }) => ({
    name,
    label,
    ...(help.trim() ? { help } : {}),
    type,
    required,
    ...(type === "choice" ? { options } : {}),
    ...(mapsTo.length > 0 ? { mapsTo } : {}),
  }));

/** nameFor makes a field's name of its label: Business name becomes businessName. */
export const nameFor = (label: string) =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? "")
    .replace(/^[^a-z]+/, "")
    .slice(0, 50);

/** What a new form begins with: whom to speak to, and about what. */
export const firstFields = [
  { name: "businessName", label: "Business name", type: "text", required: true, mapsTo: ["lead.businessName"] },
  { name: "contactName", label: "Your name", type: "text", required: true, mapsTo: ["lead.contactName"] },
  { name: "email", label: "Email", type: "email", required: true, mapsTo: ["lead.email"] },
  { name: "phone", label: "Phone", type: "tel", required: false, mapsTo: ["lead.phone"] },
  {
    name: "amount",
    label: "Amount you are looking for",
    type: "money",
    required: false,
    mapsTo: ["lead.requestedAmount"],
  },
];
