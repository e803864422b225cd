import { useQuery } from "@tanstack/react-query";
import { humanize } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import { type LeadStatus, StaffOptionsDocument } from "../../gql/documents";

export const leadStatuses = [
  "NEW",
  "CONTACTED",
  "QUALIFIED",
  "CONVERTED",
  "DEAD",
] as const satisfies readonly LeadStatus[];

export const statusOptions = leadStatuses.map((value) => ({ value, label: humanize(value) }));

/** The fields of a lead's form. */
const leadFields: FormField[] = [
  { name: "businessName", label: "Business name", required: true },
  { name: "dbaName", label: "DBA", hint: "If different from the legal name" },
  { name: "contactName", label: "Contact" },
  { name: "phone", label: "Phone" },
  { name: "email", label: "Email", kind: "email" },
  { name: "requestedAmount", label: "Requested amount", kind: "money" },
  { name: "source", label: "Source" },
  { name: "status", label: "Status", kind: "choice", options: statusOptions },
  { name: "nextActionAt", label: "Next action", kind: "date" },
];

/** Returns the active members of staff by id. */
export function useColleagues(): Map<string, string> {
  const result = useQuery(graphQuery(StaffOptionsDocument, {}));
  return new Map((result.data?.colleagues ?? []).map((c) => [c.id, c.name]));
}

/** The fields of a lead's form. An owner who has left stays an option until replaced. */
export function useLeadFields(ownerId?: string | null): FormField[] {
  const colleagues = useColleagues();
  const options = [...colleagues].map(([value, label]) => ({ value, label }));
  if (ownerId && !colleagues.has(ownerId)) {
    options.push({ value: ownerId, label: "A former team member" });
  }
  return [
    ...leadFields,
    { name: "ownerId", label: "Owner", kind: "choice", options },
    { name: "notes", label: "Notes", kind: "long" },
  ];
}
