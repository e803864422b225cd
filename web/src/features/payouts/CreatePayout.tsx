import { Text } from "@mantine/core";
import { FormDialog } from "../../components/FormDialog";
import { addDays, count, money, useZone } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { CreatePayoutBatchDocument, type NewPayoutBatch } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { kindOptions } from "./labels";

const fields: FormField[] = [
  { name: "kind", label: "Type", kind: "choice", options: kindOptions, required: true },
  { name: "periodFrom", label: "From", kind: "date", required: true },
  { name: "periodTo", label: "To", kind: "date", required: true },
];

/** The month before a day, the usual payout period. */
function lastMonth(today: string): { periodFrom: string; periodTo: string } {
  const periodTo = addDays(`${today.slice(0, 8)}01`, -1);
  return { periodFrom: `${periodTo.slice(0, 8)}01`, periodTo };
}

/** Drafts a payout for a period. Someone else must approve it. */
export function CreatePayout() {
  const [create] = useGraphMutation(CreatePayoutBatchDocument);
  const navigate = useSafeNavigate();
  const defaults = { kind: "PARTICIPATION", ...lastMonth(useZone().today()) };
  return (
    <FormDialog
      label="Create payout"
      fields={fields}
      initial={defaults}
      submitLabel="Create payout"
      save={async (changes) => {
        const { data, problem } = await create({ input: { ...defaults, ...changes } as NewPayoutBatch });
        const payout = data?.makePayoutBatch;
        if (payout) {
          showSuccess(
            `Payout ${payout.id} created: ${count(payout.total?.count)} items, ${money(payout.total?.amount)} total.`,
          );
          await navigate({ to: "/payouts/$id", params: { id: payout.id } });
        }
        return problem;
      }}
    >
      <Text size="sm">
        Syndicator payouts include shares of payments collected in the period and held for five banking days, less
        returns. Broker payouts include held commissions whose clawback risk ends in the period; new commissions are
        drafted automatically. Someone else must approve the payout.
      </Text>
    </FormDialog>
  );
}
