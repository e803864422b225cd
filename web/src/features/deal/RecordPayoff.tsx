import { Text } from "@mantine/core";
import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { tell, useAct } from "../../gql/act";
import { type DealPayoff, PayOffDealDocument } from "../../gql/documents";
import { methodOptions } from "../payments/fields";
import type { ShownDeal } from "./shown";

const fields: FormField[] = [
  { name: "date", label: "Cleared on", kind: "date", hint: "Today unless given. The payoff is that of this day" },
  { name: "method", label: "Method", kind: "choice", options: methodOptions, hint: "ACH unless given" },
  { name: "reference", label: "Reference" },
];

/** RecordPayoff records the one payment that settles a deal, which grants the discount, pays the fees and closes the deal. */
export function RecordPayoff({ deal, amount }: { deal: ShownDeal; amount: string }) {
  const [payOff] = useAct(PayOffDealDocument);
  return (
    <FormDialog
      label="Pay off"
      title={`Pay off ${deal.dealNumber}`}
      variant="default"
      fields={fields}
      submitLabel="Record the payoff"
      save={async (changes) => {
        const { problem } = await payOff({ id: deal.id, input: changes as DealPayoff });
        if (!problem) {
          tell(`${deal.dealNumber} is paid off, and closed.`);
        }
        return problem;
      }}
    >
      <Text size="sm">
        The payment of {money(amount)}, the discount in it and the unpaid fees are recorded together, and the deal is
        closed. If the payment comes back, all of that does.
      </Text>
    </FormDialog>
  );
}
