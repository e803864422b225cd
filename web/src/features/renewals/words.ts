import type { RenewalFragment, RenewalOpportunityStatus } from "../../gql/documents";

const names: Record<RenewalOpportunityStatus, string> = {
  ELIGIBLE: "Eligible",
  CONTACTED: "Contacted",
  RENEWED: "Renewed",
  DISMISSED: "Dismissed",
};

export const statuses = [
  "ELIGIBLE",
  "CONTACTED",
  "RENEWED",
  "DISMISSED",
] as const satisfies readonly RenewalOpportunityStatus[];
export const statusOptions = statuses.map((value) => ({ value, label: names[value] }));
export const statusName = (status: RenewalOpportunityStatus) => names[status];

/** isOpen reports whether anything can still come of an opportunity. */
export const isOpen = (renewal: RenewalFragment) => renewal.status === "ELIGIBLE" || renewal.status === "CONTACTED";
