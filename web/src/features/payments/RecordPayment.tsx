import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import { CreatePaymentDocument, type NewPayment, type PaymentType } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { paymentFields } from "./fields";

type Props = {
  dealId: string;
  label?: string;
  /** Initial values. */
  type?: PaymentType;
  amount?: string;
};

/** Records an unscheduled payment, received or due. */
export function RecordPayment({ dealId, label = "Record payment", type = "ADVANCE_PAYBACK", amount }: Props) {
  const [create] = useGraphMutation(CreatePaymentDocument);
  const defaults = { type, status: "PAID", ...(amount ? { amount } : {}) };
  return (
    <FormDialog
      label={label}
      variant={amount ? "default" : "filled"}
      fields={paymentFields}
      initial={defaults}
      submitLabel="Record"
      save={async (changes) => {
        const input = { ...defaults, ...changes, dealId } as NewPayment;
        const { problem } = await create({ input });
        if (!problem) {
          showSuccess(`${money(input.amount)} recorded.`);
        }
        return problem;
      }}
    />
  );
}
