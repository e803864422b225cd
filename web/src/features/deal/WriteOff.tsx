import { Text } from "@mantine/core";
import { FormDialog, reasonField } from "../../components/FormDialog";
import { money } from "../../components/format";
import { WriteOffDealDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import type { DealData } from "./dealData";

/** Writes off the balance of a deal in default, which closes it. */
export function WriteOff({ deal }: { deal: DealData }) {
  const can = useCan();
  const [writeOff] = useGraphMutation(WriteOffDealDocument);
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
          showSuccess(`${deal.dealNumber} written off and closed.`);
        }
        return problem;
      }}
    >
      <Text size="sm">
        Writes off the outstanding {money(deal.collection?.outstanding)} and closes the deal. Later payments are
        recoveries.
      </Text>
    </FormDialog>
  );
}
