import { day, money, none } from "../../components/format";
import type { FormField } from "../../components/RecordForm";

/** A question of a form, as stored by the server. */
export type Asked = {
  name: string;
  label: string;
  type: string;
  required?: boolean;
  help?: string;
  options?: string[];
  /** The lead or merchant fields that the answer fills. */
  mapsTo?: string[];
};

export type Answers = Record<string, unknown>;

/** Formats an answer. Markup in it is shown as text. */
export function answer(asked: Asked, value: unknown): string {
  if (value === null || value === undefined || value === "") {
    return none;
  }
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  const text = typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
  if (asked.type === "money" && /^-?\d+(\.\d+)?$/.test(text)) {
    return money(text);
  }
  return asked.type === "date" && /^\d{4}-\d\d-\d\d$/.test(text) ? day(text) : text;
}

const names = ["lead.businessName", "merchant.legalName"];

/** The title of an application: the business name, or the first answer. */
export function headline(fields: Asked[], answers: Answers): string {
  const named = fields.find((f) => f.mapsTo?.some((to) => names.includes(to))) ?? fields[0];
  return named ? answer(named, answers[named.name]) : none;
}

const kinds: Record<string, FormField["kind"]> = {
  notes: "long",
  email: "email",
  money: "money",
  number: "integer",
  date: "date",
  choice: "choice",
  checkbox: "switch",
};

/** The form fields with which staff fill in an application form. */
export function formFields(asked: Asked[]): FormField[] {
  return asked.map((f) => ({
    name: `answer-${f.name}`,
    label: f.label,
    kind: kinds[f.type] ?? "text",
    required: f.required === true && f.type !== "checkbox",
    ...(f.help && { hint: f.help }),
    options: (f.options ?? []).map((value) => ({ value, label: value })),
  }));
}
