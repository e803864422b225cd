import { percent } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import type {
  SyndicatorCafRecognition,
  SyndicatorManagementFeeBasis,
  SyndicatorProfitAccrual,
} from "../../gql/documents";

/** What a fee is measured by, said behind its per cent. */
export const feeBases: Record<SyndicatorManagementFeeBasis, string> = {
  PERCENT_OF_PARTICIPATION: "of what is invested",
  PERCENT_OF_COLLECTIONS: "of what is collected",
};

/** When the house takes a commission share and a fee on what is invested. */
export const recognitions: Record<SyndicatorCafRecognition, string> = {
  UPFRONT: "From the wallet, at funding",
  AS_COLLECTED: "Out of collections, bit by bit",
};

/** Which dollars carry profit. */
export const accruals: Record<SyndicatorProfitAccrual, string> = {
  PRO_RATA: "In each dollar collected",
  COST_FIRST: "Once the cost is back",
};

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label: label.charAt(0).toUpperCase() + label.slice(1) }));

/** What holds between the house and a syndicator, in general or in one deal. */
export const termFields: FormField[] = [
  { name: "managementFeePercent", label: "Management fee, in per cent", kind: "rate" },
  { name: "managementFeeBasis", label: "Management fee is", kind: "choice", options: optionsOf(feeBases) },
  {
    name: "cafRecognition",
    label: "Charges are taken",
    kind: "choice",
    options: optionsOf(recognitions),
    hint: "Those that are known at funding",
  },
  { name: "profitAccrual", label: "Profit is", kind: "choice", options: optionsOf(accruals) },
  {
    name: "profitSplitPercent",
    label: "Syndicator keeps of the profit, in per cent",
    kind: "rate",
    hint: "All of it unless given",
  },
  { name: "frontsCommission", label: "Bears a share of the commission", kind: "switch" },
  { name: "participatesInBankFee", label: "Takes part in the bank fee", kind: "switch" },
  { name: "lossProtected", label: "The house bears its losses", kind: "switch" },
];

/** How much of a deal somebody takes. */
export const shareField: FormField = { name: "percent", label: "Share, in per cent", kind: "rate", required: true };

/** What a syndicator is made of, in the order in which one is told it. */
export const syndicatorFields: FormField[] = [
  { name: "name", label: "Name", required: true },
  { name: "contactName", label: "Person to speak to" },
  { name: "email", label: "E-mail", kind: "email" },
  { name: "phone", label: "Phone" },
  { name: "website", label: "Web site" },
  { name: "referenceId", label: "Own reference" },
  { name: "maxPerDeal", label: "Most in one deal", kind: "money" },
  {
    name: "distributionFrequency",
    label: "Is paid out",
    hint: "Daily, weekly, biweekly, semimonthly or monthly; otherwise by hand",
  },
  ...termFields,
  { name: "requires1099", label: "Gets a 1099", kind: "switch" },
  { name: "isHouse", label: "Is the house itself", kind: "switch" },
  { name: "isActive", label: "Takes part in new deals", kind: "switch" },
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
