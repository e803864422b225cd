import { Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ActMenu } from "../../components/ActMenu";
import { reasonField } from "../../components/FormDialog";
import { RecordForm } from "../../components/RecordForm";
import { report, tell, useAct } from "../../gql/act";
import {
  FailPayoutItemDocument,
  HoldPayoutItemDocument,
  type PayoutItemStatus,
  ReleasePayoutItemDocument,
} from "../../gql/documents";
import { called, type Item } from "./words";

type Act = "hold" | "fail" | "release";

const names: Record<Act, string> = { hold: "Hold back", fail: "The transfer failed", release: "Release" };

/** What each status allows. */
const moves: Record<PayoutItemStatus, Act[]> = {
  PENDING: ["hold", "fail"],
  HELD: ["release"],
  FAILED: ["release"],
  PAID: ["fail"],
  CANCELLED: [],
  CLAWED_BACK: [],
};

/** ItemMenu holds an item back, releases it, or says that its transfer failed. */
export function ItemMenu({ of: item }: { of: Item }) {
  const [act, setAct] = useState<"hold" | "fail">();
  const [release] = useAct(ReleasePayoutItemDocument);
  const allowed = item.carriedAt === null ? moves[item.status] : [];
  if (allowed.length === 0) {
    return null;
  }
  const start = (chosen: Act) =>
    chosen === "release" ? void report(release({ id: item.id }), `${called(item)} is released.`) : setAct(chosen);
  return (
    <>
      <ActMenu label={`Change ${called(item)}`} acts={allowed} names={names} choose={start} />
      <Modal
        opened={act !== undefined}
        onClose={() => setAct(undefined)}
        title={act ? `${names[act]}: ${called(item)}` : ""}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {act && <Reasoned of={item} act={act} close={() => setAct(undefined)} />}
      </Modal>
    </>
  );
}

/** Reasoned asks why, which is kept with the item. */
function Reasoned({ of: item, act, close }: { of: Item; act: "hold" | "fail"; close: () => void }) {
  const [hold] = useAct(HoldPayoutItemDocument);
  const [fail] = useAct(FailPayoutItemDocument);
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
            tell(`${called(item)} ${act === "hold" ? "is held back" : "has failed"}.`);
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
    return "It is not paid until somebody releases it.";
  }
  return item.syndicator
    ? "What was booked is reversed, with everything else that the same transfer paid. It is owed again."
    : "What was booked is reversed. It is owed again.";
}
