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
import { called, type Item } from "./words";

type Act = "hold" | "fail" | "release";

const names: Record<Act, string> = { hold: "Hold", fail: "Mark failed", release: "Release" };

/** The actions of each status. */
const moves: Record<PayoutItemStatus, Act[]> = {
  PENDING: ["hold", "fail"],
  HELD: ["release"],
  FAILED: ["release"],
  PAID: ["fail"],
  CANCELLED: [],
  CLAWED_BACK: [],
};

/** Puts an item on hold, releases it, or marks its transfer as failed. */
export function ItemMenu({ item }: { item: Item }) {
  const [act, setAct] = useState<"hold" | "fail">();
  const [release] = useGraphMutation(ReleasePayoutItemDocument);
  const allowed = item.carriedAt === null ? moves[item.status] : [];
  if (allowed.length === 0) {
    return null;
  }
  const start = (chosen: Act) =>
    chosen === "release" ? void showOutcome(release({ id: item.id }), `${called(item)} released.`) : setAct(chosen);
  return (
    <>
      <ActionMenu label={`Update ${called(item)}`} actions={allowed} labels={names} onSelect={start} />
      <Modal
        opened={act !== undefined}
        onClose={() => setAct(undefined)}
        title={act ? `${names[act]}: ${called(item)}` : ""}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {act && <Reasoned item={item} act={act} close={() => setAct(undefined)} />}
      </Modal>
    </>
  );
}

/** Asks for a reason, which is stored with the item. */
function Reasoned({ item, act, close }: { item: Item; act: "hold" | "fail"; close: () => void }) {
  const [hold] = useGraphMutation(HoldPayoutItemDocument);
  const [fail] = useGraphMutation(FailPayoutItemDocument);
  return (
    <Stack>
      <Text size="sm">{consequence(item, act)}</Text>
      <RecordForm
        fields={[reasonField]}
        submitLabel={names[act]}
        cancel={close}
        save={async ({ reason }) => {
          const variables = { id: item.id, reason: String(reason) };
          const { problem } = await (act === "hold" ? hold(variables) : fail(variables));
          if (!problem) {
            showSuccess(`${called(item)} ${act === "hold" ? "is on hold" : "marked as failed"}.`);
            close();
          }
          return problem;
        }}
      />
    </Stack>
  );
}

function consequence(item: Item, act: "hold" | "fail"): string {
  if (act === "hold" || item.status !== "PAID") {
    return "It is not paid until released.";
  }
  return item.syndicator
    ? "Reverses the payment and everything else in the same transfer. The amount is owed again."
    : "Reverses the payment. The amount is owed again.";
}
