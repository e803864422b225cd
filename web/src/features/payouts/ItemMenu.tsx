import { Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ActionMenu } from "../../components/ActionMenu";
import { reasonField } from "../../components/FormDialog";
import { RecordForm } from "../../components/RecordForm";
import {
  FailPayoutItemDocument,
  HoldPayoutItemDocument,
  type PayoutItemStatus,
  ReleasePayoutItemDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { type Item, itemName } from "./labels";

type Action = "hold" | "fail" | "release";

const labels: Record<Action, string> = { hold: "Hold", fail: "Mark failed", release: "Release" };

/** The actions of each status. */
const actionsByStatus: Record<PayoutItemStatus, Action[]> = {
  PENDING: ["hold", "fail"],
  HELD: ["release"],
  FAILED: ["release"],
  PAID: ["fail"],
  CANCELLED: [],
  CLAWED_BACK: [],
};

/** Puts an item on hold, releases it, or marks its transfer as failed. */
export function ItemMenu({ item }: { item: Item }) {
  const [action, setAction] = useState<"hold" | "fail">();
  const [release] = useGraphMutation(ReleasePayoutItemDocument);
  const available = item.carriedAt === null ? actionsByStatus[item.status] : [];
  if (available.length === 0) {
    return null;
  }
  const start = (chosen: Action) =>
    chosen === "release"
      ? void showOutcome(release({ id: item.id }), `${itemName(item)} released.`)
      : setAction(chosen);
  return (
    <>
      <ActionMenu label={`Update ${itemName(item)}`} actions={available} labels={labels} onSelect={start} />
      <Modal
        opened={action !== undefined}
        onClose={() => setAction(undefined)}
        title={action ? `${labels[action]}: ${itemName(item)}` : ""}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {action && <ReasonForm item={item} action={action} close={() => setAction(undefined)} />}
      </Modal>
    </>
  );
}

/** Asks for a reason, which is stored with the item. */
function ReasonForm({ item, action, close }: { item: Item; action: "hold" | "fail"; close: () => void }) {
  const [hold] = useGraphMutation(HoldPayoutItemDocument);
  const [fail] = useGraphMutation(FailPayoutItemDocument);
  return (
    <Stack>
      <Text size="sm">{consequence(item, action)}</Text>
      <RecordForm
        fields={[reasonField]}
        submitLabel={labels[action]}
        cancel={close}
        save={async ({ reason }) => {
          const variables = { id: item.id, reason: String(reason) };
          const { problem } = await (action === "hold" ? hold(variables) : fail(variables));
          if (!problem) {
            showSuccess(`${itemName(item)} ${action === "hold" ? "is on hold" : "marked as failed"}.`);
            close();
          }
          return problem;
        }}
      />
    </Stack>
  );
}

function consequence(item: Item, action: "hold" | "fail"): string {
  if (action === "hold" || item.status !== "PAID") {
    return "It is not paid until released.";
  }
  return item.syndicator
    ? "Reverses the payment and everything else in the same transfer. The amount is owed again."
    : "Reverses the payment. The amount is owed again.";
}
