import { words } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import type { LeadStatus } from "../../gql/documents";

export const leadStatuses = [
  "NEW",
  "CONTACTED",
  "QUALIFIED",
  "CONVERTED",
  "DEAD",
] as const satisfies readonly LeadStatus[];

export const statusOptions = leadStatuses.map((value) => ({ value, label: words(value) }));

/** What a lead is made of, in the order in which one is told it. */
export const leadFields: FormField[] = [
  { name: "businessName", label: "Business name", required: true },
  { name: "dbaName", label: "Trade name", hint: "Where it differs" },
  { name: "contactName", label: "Person to speak to" },
  { name: "phone", label: "Phone" },
  { name: "email", label: "E-mail", kind: "email" },
  { name: "requestedAmount", label: "Amount asked for", kind: "money" },
  { name: "source", label: "Source" },
  { name: "status", label: "Status", kind: "choice", options: statusOptions },
  { name: "notes", label: "Notes", kind: "long" },
];
