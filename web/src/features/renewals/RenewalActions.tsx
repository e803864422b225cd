import { Group } from "@mantine/core";
import { ActionButton } from "../../components/ActionButton";
import { FormDialog, reasonField } from "../../components/FormDialog";
import { none } from "../../components/format";
import { ContactRenewalDocument, DismissRenewalDocument, type RenewalFieldsFragment } from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { isOpen } from "./labels";
import { StartRenewal } from "./StartRenewal";

/** The actions on an open renewal opportunity. */
export function RenewalActions({ renewal }: { renewal: RenewalFieldsFragment }) {
  const can = useCan();
  const [contact] = useGraphMutation(ContactRenewalDocument);
  const { id, status } = renewal;
  const number = renewal.priorDeal?.dealNumber ?? "";
  // After a withdrawn renewal, another can be started.
  const started = renewal.renewalDeal && renewal.renewalDeal.state !== "WITHDRAWN";
  const canWrite = can("renewals:write");
  const canStart = can("deals:write") && !started;
  if (!isOpen(renewal) || !(canWrite || canStart)) {
    return none;
  }
  return (
    <Group gap={6} miw={{ base: 0, sm: 260 }}>
      {canStart && <StartRenewal renewal={renewal} />}
      {canWrite && status === "ELIGIBLE" && (
        <ActionButton
          label="Mark contacted"
          name={`Mark contacted: ${number}`}
          run={() => showOutcome(contact({ id }), `Merchant of ${number} marked as contacted.`)}
        />
      )}
      {canWrite && <DismissRenewal id={id} number={number} />}
    </Group>
  );
}

function DismissRenewal({ id, number }: { id: string; number: string }) {
  const [dismiss] = useGraphMutation(DismissRenewalDocument);
  return (
    <FormDialog
      label="Dismiss"
      name={`Dismiss: ${number}`}
      size="xs"
      variant="default"
      fields={[reasonField]}
      submitLabel="Dismiss"
      save={async ({ reason }) => {
        const { problem } = await dismiss({ id, reason: String(reason) });
        if (!problem) {
          showSuccess(`Renewal of ${number} dismissed.`);
        }
        return problem;
      }}
    />
  );
}
