import { words } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import type { PaymentMethod, PaymentType } from "../../gql/documents";

/** How money moves, where somebody says so by hand. What is offset moves none. */
export const methodOptions = (
  ["ACH", "WIRE", "CHECK", "CASH", "OTHER"] as const satisfies readonly PaymentMethod[]
).map((value) => ({ value, label: value === "ACH" ? value : words(value) }));

/** What a payment that somebody records is for. */
const recorded: Partial<Record<PaymentType, string>> = {
  ADVANCE_PAYBACK: "Payment on the advance",
  ADVANCE_PAYBACK_ADJUSTMENT: "Adjustment; a refund is negative",
  BOUNCE_FEE: "Fee for a bounce",
  WIRE_FEE: "Wire fee",
  UCC_FEE: "UCC fee",
  APPLICATION_FEE: "Application fee",
  OTHER_FEE: "Other fee",
  RENEWAL_PAYOFF: "Payoff for a renewal",
  EPO_DISCOUNT: "Discount for paying off early",
};

/** paymentFields are what one is asked about a payment. */
export const paymentFields: FormField[] = [
  {
    name: "type",
    label: "For",
    kind: "choice",
    options: Object.entries(recorded).map(([value, label]) => ({ value, label })),
    required: true,
  },
  { name: "amount", label: "Amount", kind: "money", required: true },
  {
    name: "status",
    label: "It",
    kind: "choice",
    options: [
      { value: "PAID", label: "Is paid" },
      { value: "SUBMITTED", label: "Was submitted to the bank" },
      { value: "PENDING", label: "Is still to be collected" },
    ],
    required: true,
  },
  { name: "method", label: "Method", kind: "choice", options: methodOptions },
  { name: "referenceId", label: "Own reference" },
  { name: "note", label: "Note", kind: "long" },
];
