import { percent } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import type {
  SyndicatorCafRecognition,
  SyndicatorManagementFeeBasis,
  SyndicatorProfitAccrual,
} from "../../gql/documents";

/** What a fee is measured by, said behind its per cent. */
export const feeBases: Record<SyndicatorManagementFeeBasis, string> = {
  PERCENT_OF_PARTICIPATION: "of invested amount",
  PERCENT_OF_COLLECTIONS: "of collections",
};

/** When the house takes a commission share and a fee on what is invested. */
export const recognitions: Record<SyndicatorCafRecognition, string> = {
  UPFRONT: "Upfront, from the wallet",
  AS_COLLECTED: "As collected",
};

/** Which dollars carry profit. */
export const accruals: Record<SyndicatorProfitAccrual, string> = {
  PRO_RATA: "Pro rata",
  COST_FIRST: "After cost recovery",
};

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label: label.charAt(0).toUpperCase() + label.slice(1) }));

/** What holds between the house and a syndicator, in general or in one deal. */
export const termFields: FormField[] = [
  { name: "managementFeePercent", label: "Management fee %", kind: "rate" },
  { name: "managementFeeBasis", label: "Management fee basis", kind: "choice", options: optionsOf(feeBases) },
  {
    name: "cafRecognition",
    label: "Fees are taken",
    kind: "choice",
    options: optionsOf(recognitions),
    hint: "Fees known at funding",
  },
  { name: "profitAccrual", label: "Profit recognition", kind: "choice", options: optionsOf(accruals) },
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

/** How much of a deal somebody takes. */
export const shareField: FormField = { name: "percent", label: "Participation %", kind: "rate", required: true };

/** What a syndicator is made of, in the order in which one is told it. */
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

/** fee writes a management fee: 3% of what is collected. */
export function fee(of: {
  managementFeePercent: string | null;
  managementFeeBasis: SyndicatorManagementFeeBasis | null;
}) {
  return of.managementFeePercent === null
    ? "None"
    : `${percent(of.managementFeePercent)} ${feeBases[of.managementFeeBasis ?? "PERCENT_OF_COLLECTIONS"]}`;
}
