import { Text } from "@mantine/core";
import { FormDialog } from "../../components/FormDialog";
import { count, money, plusDays, useZone } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { useGo } from "../../components/useGo";
import { tell, useAct } from "../../gql/act";
import { MakePayoutDocument, type NewPayoutBatch } from "../../gql/documents";
import { kindOptions } from "./words";

const fields: FormField[] = [
  { name: "kind", label: "For", kind: "choice", options: kindOptions, required: true },
  { name: "periodFrom", label: "First day", kind: "date", required: true },
  { name: "periodTo", label: "Last day", kind: "date", required: true },
];

/** lastMonth is the month before that of a day: what is mostly paid out. */
function lastMonth(today: string): { periodFrom: string; periodTo: string } {
  const periodTo = plusDays(`${today.slice(0, 8)}01`, -1);
  return { periodFrom: `${periodTo.slice(0, 8)}01`, periodTo };
}

/** MakePayout drafts a batch of what is owed of a period, for somebody else to approve. */
export function MakePayout() {
  const [make] = useAct(MakePayoutDocument);
  const navigate = useGo();
  const begun = { kind: "PARTICIPATION", ...lastMonth(useZone().today()) };
  return (
    <FormDialog
      label="Make a payout"
      fields={fields}
      initial={begun}
      submitLabel="Make payout"
      save={async (changes) => {
        const { data, problem } = await make({ input: { ...begun, ...changes } as NewPayoutBatch });
        const made = data?.makePayoutBatch;
        if (made) {
          tell(`Payout ${made.id} has ${count(made.total?.count)} items of ${money(made.total?.amount)} in all.`);
          await navigate({ to: "/payouts/$id", params: { id: made.id } });
        }
        return problem;
      }}
    >
      <Text size="sm">
        For syndicators it takes their shares of what was collected in the period and has been held for five banking
        days, less what came back. For brokers it takes the commissions held back earlier whose risk ends in the period;
        those of new deals are drafted by themselves. Somebody else approves it.
      </Text>
    </FormDialog>
  );
}
