import { humanize } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import type { PaymentMethod, PaymentType } from "../../gql/documents";

/** Payment methods that staff can choose. An offset moves no money. */
export const methodOptions = (
  ["ACH", "WIRE", "CHECK", "CASH", "OTHER"] as const satisfies readonly PaymentMethod[]
).map((value) => ({ value, label: value === "ACH" ? value : humanize(value) }));

/** Types of payments that staff can record. */
const recorded: Partial<Record<PaymentType, string>> = {
  ADVANCE_PAYBACK: "Advance payment",
  ADVANCE_PAYBACK_ADJUSTMENT: "Adjustment (negative for a refund)",
  BOUNCE_FEE: "Returned payment fee",
  WIRE_FEE: "Wire fee",
  UCC_FEE: "UCC fee",
  APPLICATION_FEE: "Application fee",
  OTHER_FEE: "Other fee",
  RENEWAL_PAYOFF: "Renewal payoff",
  EPO_DISCOUNT: "Early payoff discount",
};

export const paymentFields: FormField[] = [
  {
    name: "type",
    label: "Type",
    kind: "choice",
    options: Object.entries(recorded).map(([value, label]) => ({ value, label })),
    required: true,
  },
  { name: "amount", label: "Amount", kind: "money", required: true },
  {
    name: "status",
    label: "Status",
    kind: "choice",
    options: [
      { value: "PAID", label: "Paid" },
      { value: "SUBMITTED", label: "Submitted" },
      { value: "PENDING", label: "Pending" },
    ],
    required: true,
  },
  { name: "method", label: "Method", kind: "choice", options: methodOptions },
  { name: "referenceId", label: "Reference ID" },
  { name: "note", label: "Note", kind: "long" },
];
