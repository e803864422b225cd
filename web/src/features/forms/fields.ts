// The questions of a form, as data.

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

/** A question of a form. key is its React key; fresh means not saved yet. */
export type Field = {
  key: number;
  isNew: boolean;
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

const strings = (value: unknown) =>
  Array.isArray(value) ? value.filter((v): v is string => typeof v === "string") : [];

/** Reads the stored questions. */
export function parseFields(stored: unknown): Field[] {
  return (Array.isArray(stored) ? (stored as Record<string, unknown>[]) : []).map((f) => ({
    key: nextKey(),
    isNew: false,
    name: String(f.name ?? ""),
    label: String(f.label ?? ""),
    help: String(f.help ?? ""),
    type: String(f.type ?? "text"),
    required: f.required === true,
    options: strings(f.options),
    mapsTo: strings(f.mapsTo),
  }));
}

/** A new question, by default for a line of text. */
export const newField = (): Field => ({
  key: nextKey(),
  isNew: true,
  name: "",
  label: "",
  help: "",
  type: "text",
  required: false,
  options: [],
  mapsTo: [],
});

/** The questions as the server stores them. */
export const serializeFields = (fields: Field[]) =>
  fields.map(({ name, label, help, type, required, options, mapsTo }) => ({
    name,
    label,
    ...(help.trim() ? { help } : {}),
    type,
    required,
    ...(type === "choice" ? { options } : {}),
    ...(mapsTo.length > 0 ? { mapsTo } : {}),
  }));

/** Derives a field name from its label: Business name becomes businessName. */
export const toFieldName = (label: string) =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? "")
    .replace(/^[^a-z]+/, "")
    .slice(0, 50);

/** The questions of a new form. */
export const defaultFields = [
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
