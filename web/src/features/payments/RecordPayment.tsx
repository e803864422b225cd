import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import { CreatePaymentDocument, type NewPayment, type PaymentType } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { paymentFields } from "./fields";

type Props = {
  dealId: string;
  label?: string;
  /** What the form begins with, where that is known. */
  type?: PaymentType;
  amount?: string;
};

/** RecordPayment records money that came in, or is to, besides what is planned. */
export function RecordPayment({ dealId, label = "Record payment", type = "ADVANCE_PAYBACK", amount }: Props) {
  const [create] = useGraphMutation(CreatePaymentDocument);
  const begun = { type, status: "PAID", ...(amount ? { amount } : {}) };
  return (
    <FormDialog
      label={label}
      variant={amount ? "default" : "filled"}
      fields={paymentFields}
      initial={begun}
      submitLabel="Record"
      save={async (changes) => {
        const input = { ...begun, ...changes, dealId } as NewPayment;
        const { problem } = await create({ input });
        if (!problem) {
          showSuccess(`${money(input.amount)} recorded.`);
        }
        return problem;
      }}
    />
  );
}
