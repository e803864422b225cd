import type { FormField } from "../../components/RecordForm";
import type { UccFilingFieldsFragment, UccFilingType } from "../../gql/documents";

export const typeNames: Record<UccFilingType, string> = {
  UCC1: "Financing statement (UCC-1)",
  UCC3_CONTINUATION: "Continuation",
  UCC3_TERMINATION: "Termination",
  UCC3_AMENDMENT: "Collateral amendment",
  UCC3_ASSIGNMENT: "Assignment",
};

export const acceptFields: FormField[] = [
  { name: "fileNumber", label: "File number", required: true },
  { name: "filedAt", label: "Filed on", kind: "date", hint: "Default: now" },
];

/** Subtracts months from a calendar day. A day that the month does not have becomes its last day. */
function monthsBefore(from: string, months: number): string {
  const at = new Date(`${from}T00:00:00Z`);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() - months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at.toISOString().slice(0, 10);
}

/**
 * Where an active financing statement is in its term: far from its end, near it (the last six months, in which it can
 * be continued), or past it.
 */
export type Term = { lapses: string; continuationOpens: string; phase: "far" | "near" | "over" };

/** The term of a statement on a day. undefined if it is not active or its end is unknown. */
export function termOf({ status, lapsesAt }: UccFilingFieldsFragment, today: string): Term | undefined {
  if (status !== "ACCEPTED" || lapsesAt === null) {
    return undefined;
  }
  const continuationOpens = monthsBefore(lapsesAt, 6);
  return {
    lapses: lapsesAt,
    continuationOpens,
    phase: today > lapsesAt ? "over" : today >= continuationOpens ? "near" : "far",
  };
}
