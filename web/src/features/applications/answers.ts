import { day, money, none } from "../../components/format";
import type { FormField } from "../../components/RecordForm";

/** A question of a form, as stored by the server. */
export type Question = {
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
export function formatAnswer(question: Question, value: unknown): string {
  if (value === null || value === undefined || value === "") {
    return none;
  }
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  const text = typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
  if (question.type === "money" && /^-?\d+(\.\d+)?$/.test(text)) {
    return money(text);
  }
  return question.type === "date" && /^\d{4}-\d\d-\d\d$/.test(text) ? day(text) : text;
}

const businessFields = ["lead.businessName", "merchant.legalName"];

/** The title of an application: the business name, or the first answer. */
export function applicationTitle(fields: Question[], answers: Answers): string {
  const field = fields.find((f) => f.mapsTo?.some((to) => businessFields.includes(to))) ?? fields[0];
  return field ? formatAnswer(field, answers[field.name]) : none;
}

const fieldKinds: Record<string, FormField["kind"]> = {
  notes: "long",
  email: "email",
  money: "money",
  number: "integer",
  date: "date",
  choice: "choice",
  checkbox: "switch",
};

/** The form fields with which staff fill in an application form. */
export function answerFields(questions: Question[]): FormField[] {
  return questions.map((f) => ({
    name: `answer-${f.name}`,
    label: f.label,
    kind: fieldKinds[f.type] ?? "text",
    required: f.required === true && f.type !== "checkbox",
    ...(f.help && { hint: f.help }),
    options: (f.options ?? []).map((value) => ({ value, label: value })),
  }));
}
