import { percent } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import type {
  SyndicatorCafRecognition,
  SyndicatorManagementFeeBasis,
  SyndicatorProfitAccrual,
} from "../../gql/documents";

/** Labels of management fee bases, shown after the percentage. */
export const feeBases: Record<SyndicatorManagementFeeBasis, string> = {
  PERCENT_OF_PARTICIPATION: "of invested amount",
  PERCENT_OF_COLLECTIONS: "of collections",
};

/** When the commission share, and a management fee on the invested amount, are taken. */
export const feeRecognitions: Record<SyndicatorCafRecognition, string> = {
  UPFRONT: "Upfront, from the wallet",
  AS_COLLECTED: "As collected",
};

/** Which collected dollars accrue profit. */
export const profitAccruals: Record<SyndicatorProfitAccrual, string> = {
  PRO_RATA: "Pro rata",
  COST_FIRST: "After cost recovery",
};

const toOptions = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label: label.charAt(0).toUpperCase() + label.slice(1) }));

/** Terms between the company and a syndicator, as defaults or for one deal. */
export const termFields: FormField[] = [
  { name: "managementFeePercent", label: "Management fee %", kind: "rate" },
  { name: "managementFeeBasis", label: "Management fee basis", kind: "choice", options: toOptions(feeBases) },
  {
    name: "cafRecognition",
    label: "Fees are taken",
    kind: "choice",
    options: toOptions(feeRecognitions),
    hint: "Fees known at funding",
  },
  { name: "profitAccrual", label: "Profit recognition", kind: "choice", options: toOptions(profitAccruals) },
  {
    name: "profitSplitPercent",
    label: "Profit split %",
    kind: "rate",
    hint: "Default: 100%",
  },
  { name: "frontsCommission", label: "Shares commission cost", kind: "switch" },
  { name: "participatesInBankFee", label: "Shares bank fee", kind: "switch" },
  { name: "lossProtected", label: "Loss protection", kind: "switch" },
];

export const percentField: FormField = { name: "percent", label: "Participation %", kind: "rate", required: true };

export const syndicatorFields: FormField[] = [
  { name: "name", label: "Name", required: true },
  { name: "contactName", label: "Contact" },
  { name: "email", label: "Email", kind: "email" },
  { name: "phone", label: "Phone" },
  { name: "website", label: "Website" },
  { name: "referenceId", label: "Reference ID" },
  { name: "maxPerDeal", label: "Max per deal", kind: "money" },
  {
    name: "distributionFrequency",
    label: "Payout frequency",
    hint: "Daily, weekly, biweekly, semimonthly or monthly. Leave empty for manual payouts",
  },
  ...termFields,
  { name: "requires1099", label: "1099 required", kind: "switch" },
  { name: "isHouse", label: "This is our own account", kind: "switch" },
  { name: "isActive", label: "Active", kind: "switch" },
  { name: "notes", label: "Notes", kind: "long" },
];

/** Formats a management fee: 3% of collections. */
export function fee(terms: {
  managementFeePercent: string | null;
  managementFeeBasis: SyndicatorManagementFeeBasis | null;
}) {
  return terms.managementFeePercent === null
    ? "None"
    : `${percent(terms.managementFeePercent)} ${feeBases[terms.managementFeeBasis ?? "PERCENT_OF_COLLECTIONS"]}`;
}
