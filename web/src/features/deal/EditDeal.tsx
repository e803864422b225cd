import { useQuery } from "@tanstack/react-query";
import { FormDialog } from "../../components/FormDialog";
import { humanize } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import {
  CommissionOffersDocument,
  type PricingBasis,
  type ScheduleRule,
  UpdateDealDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { frequencyOptions, productOptions } from "../deals/states";
import type { DealData } from "./dealData";

const toOptions = <T extends string>(values: readonly T[]) =>
  values.map((value) => ({ value, label: humanize(value) }));

const bases = toOptions<PricingBasis>(["PERCENT_OF_FUNDED", "PERCENT_OF_PAYBACK", "POINTS", "FLAT"]);
const rules = toOptions<ScheduleRule>(["BANKING_DAYS", "WEEKDAYS", "EVERY_DAY", "CUSTOM_DAYS"]);

const fields: FormField[] = [
  { name: "productType", label: "Product", kind: "choice", options: productOptions, required: true },
  { name: "fundedAmount", label: "Funded amount", kind: "money" },
  { name: "factorRate", label: "Factor rate", kind: "rate", hint: "Payback ÷ funded, 1 to 2.5" },
  {
    name: "paybackAmount",
    label: "Payback amount",
    kind: "money",
    hint: "Calculated from funded amount and factor rate",
  },
  { name: "buyRate", label: "Buy rate", kind: "rate" },
  { name: "specifiedPercentage", label: "Holdback %", kind: "rate" },
  { name: "numberOfPayments", label: "Number of payments", kind: "integer" },
  { name: "paymentAmount", label: "Payment amount", kind: "money" },
  { name: "collectionFrequency", label: "Frequency", kind: "choice", options: frequencyOptions },
  { name: "collectionSchedule", label: "Daily schedule", kind: "choice", options: rules, required: true },
  { name: "collectionDay", label: "Payment day", kind: "integer", hint: "Weekly: 1 (Monday) to 5; monthly: 1 to 31" },
  { name: "firstPaymentDate", label: "First payment on or after", kind: "date" },
  { name: "termDays", label: "Term (days)", kind: "integer" },
  { name: "position", label: "Position", kind: "integer" },
  { name: "commissionBasis", label: "Commission basis", kind: "choice", options: bases },
  { name: "commissionValue", label: "Commission", kind: "rate" },
  { name: "bankFeeBasis", label: "Bank fee basis", kind: "choice", options: bases },
  { name: "bankFeeValue", label: "Bank fee", kind: "rate" },
  { name: "applicationFee", label: "Application fee", kind: "money" },
  { name: "wireFee", label: "Wire fee", kind: "money" },
  { name: "defaultSurcharge", label: "Default fee", kind: "money" },
  { name: "epoFactorRate", label: "Early payoff factor rate", kind: "rate" },
  { name: "epoWindowDays", label: "Early payoff window (days)", kind: "integer" },
  { name: "referenceId", label: "Reference ID" },
  { name: "externalSource", label: "External source", hint: "System the record came from" },
  { name: "externalRef", label: "External reference", hint: "Its ID in that system" },
];

/** The fields of a deal's form. The deal's current offer stays an option, even if it is no longer in use. */
function useDealFields(deal: DealData): FormField[] {
  const canReadIsos = useCan()("isos:read");
  const result = useQuery({ ...graphQuery(CommissionOffersDocument, {}), enabled: canReadIsos });
  if (!canReadIsos) {
    return fields;
  }
  const options = (result.data?.commissionOffers ?? [])
    .filter((o) => o.isActive || o.id === deal.commissionOfferId)
    .map((o) => ({ value: o.id, label: o.name }));
  return [
    ...fields,
    {
      name: "commissionOfferId",
      label: "Commission offer",
      kind: "choice",
      options,
      hint: "Used unless you enter a commission",
    },
  ];
}

/** Edits the terms. The server decides whether the deal's state allows it. */
export function EditDeal({ deal }: { deal: DealData }) {
  const [update] = useGraphMutation(UpdateDealDocument);
  const fields = useDealFields(deal);
  return (
    <FormDialog
      label="Edit"
      title={`Edit ${deal.dealNumber}`}
      fields={fields}
      initial={deal}
      submitLabel="Save"
      save={async (input, unchangedSince) => {
        const { problem } = await update({ id: deal.id, input, unchangedSince });
        if (!problem) {
          showSuccess(`${deal.dealNumber} saved.`);
        }
        return problem;
      }}
    />
  );
}
