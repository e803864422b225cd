import type { RenewalFieldsFragment, RenewalOpportunityStatus } from "../../gql/documents";

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

/** Reports whether an opportunity is still open. */
export const isOpen = (renewal: RenewalFieldsFragment) =>
  renewal.status === "ELIGIBLE" || renewal.status === "CONTACTED";
