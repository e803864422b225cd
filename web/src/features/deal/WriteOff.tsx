import { Text } from "@mantine/core";
import { FormDialog, reasonField } from "../../components/FormDialog";
import { money } from "../../components/format";
import { tell, useAct } from "../../gql/act";
import { WriteOffDealDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import type { ShownDeal } from "./shown";

/** WriteOff gives up what a deal in default owes, which closes it. */
export function WriteOff({ deal }: { deal: ShownDeal }) {
  const can = useCan();
  const [writeOff] = useAct(WriteOffDealDocument);
  if (deal.state !== "DEFAULTED" || !can("deals.write-off") || !can("payments:write")) {
    return null;
  }
  return (
    <FormDialog
      label="Write off"
      title={`Write off ${deal.dealNumber}`}
      variant="default"
      fields={[reasonField]}
      submitLabel="Write off"
      save={async ({ reason }) => {
        const { problem } = await writeOff({ id: deal.id, reason: String(reason ?? "") });
        if (!problem) {
          tell(`${deal.dealNumber} is written off, and closed.`);
        }
        return problem;
      }}
    >
      <Text size="sm">
        The {money(deal.collection?.outstanding)} that are outstanding are given up, and the deal is closed. What comes
        in after that is a recovery.
      </Text>
    </FormDialog>
  );
}
