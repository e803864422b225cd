import { Text } from "@mantine/core";
import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { type DealPayoff, PayOffDealDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { methodOptions } from "../payments/fields";
import type { DealData } from "./dealData";

const fields: FormField[] = [
  { name: "date", label: "Cleared on", kind: "date", hint: "Default: today. The payoff amount is for this date" },
  { name: "method", label: "Method", kind: "choice", options: methodOptions, hint: "Default: ACH" },
  { name: "reference", label: "Reference" },
];

/** Records the payment of an early payoff, which grants the discount, pays the fees and closes the deal. */
export function RecordPayoff({ deal, amount }: { deal: DealData; amount: string }) {
  const [payOff] = useGraphMutation(PayOffDealDocument);
  return (
    <FormDialog
      label="Pay off"
      title={`Pay off ${deal.dealNumber}`}
      variant="default"
      fields={fields}
      submitLabel="Record payoff"
      save={async (changes) => {
        const { problem } = await payOff({ id: deal.id, input: changes as DealPayoff });
        if (!problem) {
          showSuccess(`${deal.dealNumber} paid off and closed.`);
        }
        return problem;
      }}
    >
      <Text size="sm">
        Records the payment of {money(amount)}, its discount and the unpaid fees, and closes the deal. If the payment is
        returned, all of it is reversed.
      </Text>
    </FormDialog>
  );
}
