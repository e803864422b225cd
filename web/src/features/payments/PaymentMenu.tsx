import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ActionMenu } from "../../components/ActionMenu";
import { day, money } from "../../components/format";
import { type Changes, type FormField, RecordForm } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import {
  MakeUpPaymentDocument,
  type PaymentStatus,
  type PaymentType,
  RetryPaymentDocument,
  ReturnCodeOptionsDocument,
  UpdatePaymentDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import { useCan } from "../../session/permissions";
import { methodOptions } from "./fields";

type Payment = {
  id: string;
  type: PaymentType;
  status: PaymentStatus;
  amount: string;
  scheduledDate: string | null;
  madeUpBy?: { id: string; status?: PaymentStatus } | null;
  bounceCode?: { retryable?: boolean } | null;
};

type Action = "submit" | "pay" | "bounce" | "cancel" | "retry" | "makeUp";

const labels: Record<Action, string> = {
  submit: "Mark submitted",
  pay: "Mark paid",
  bounce: "Mark returned",
  cancel: "Cancel payment",
  retry: "Retry debit",
  makeUp: "Schedule make-up payment",
};

/** The actions of each status. A returned payment that has a make-up payment has none. */
const actionsByStatus: Record<PaymentStatus, Action[]> = {
  PENDING: ["pay", "bounce", "submit", "cancel"],
  SUBMITTED: ["pay", "bounce", "cancel"],
  PAID: ["bounce"],
  BOUNCED: ["retry", "makeUp", "pay"],
  CANCELLED: ["pay"],
};

/** The payment types of a make-up. */
const collections: readonly PaymentType[] = ["ORIGINAL_ADVANCE_PAYBACK", "ADVANCE_PAYBACK"];

function availableActions(p: Payment): Action[] {
  if (p.status === "BOUNCED" && p.madeUpBy && p.madeUpBy.status !== "CANCELLED") {
    return [];
  }
  const isCollection = collections.includes(p.type);
  return actionsByStatus[p.status].filter(
    (action) =>
      (action !== "makeUp" || isCollection) &&
      (action !== "retry" || (isCollection && p.bounceCode?.retryable === true)),
  );
}

/** Names a payment: $515.88 of Jan 6, 2026. */
const paymentName = (p: Payment) => `${money(p.amount)}${p.scheduledDate ? ` of ${day(p.scheduledDate)}` : ""}`;

/** Updates the status of a payment. */
export function PaymentMenu({ payment }: { payment: Payment }) {
  const can = useCan();
  const [action, setAction] = useState<Action>();
  const actions = availableActions(payment);
  if (actions.length === 0 || !can("payments:write")) {
    return null;
  }
  return (
    <>
      <ActionMenu label={`Update ${paymentName(payment)}`} actions={actions} labels={labels} onSelect={setAction} />
      <Modal
        opened={action !== undefined}
        onClose={() => setAction(undefined)}
        title={action ? `${labels[action]}: ${paymentName(payment)}` : ""}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {action === "retry" && <Retry payment={payment} close={() => setAction(undefined)} />}
        {action === "makeUp" && <MakeUp payment={payment} close={() => setAction(undefined)} />}
        {action === "bounce" && <MarkReturned payment={payment} close={() => setAction(undefined)} />}
        {action === "pay" && (
          <ChangeStatus
            payment={payment}
            to="PAID"
            action="pay"
            fields={paidFields}
            close={() => setAction(undefined)}
          />
        )}
        {action === "submit" && (
          <ChangeStatus
            payment={payment}
            to="SUBMITTED"
            action="submit"
            fields={noteFields}
            close={() => setAction(undefined)}
          />
        )}
        {action === "cancel" && (
          <ChangeStatus
            payment={payment}
            to="CANCELLED"
            action="cancel"
            fields={noteFields}
            close={() => setAction(undefined)}
          />
        )}
      </Modal>
    </>
  );
}

const noteFields: FormField[] = [{ name: "note", label: "Note", kind: "long" }];

const paidFields: FormField[] = [
  { name: "clearedDate", label: "Cleared on", kind: "date", hint: "Default: today" },
  { name: "method", label: "Method", kind: "choice", options: methodOptions },
  { name: "referenceId", label: "Reference ID" },
];

type ActionProps = { payment: Payment; close: () => void };

/** Changes a payment's status, with the fields that it needs. */
function ChangeStatus({
  payment,
  to,
  action,
  fields,
  close,
}: ActionProps & { to: PaymentStatus; action: Action; fields: FormField[] }) {
  const [update] = useGraphMutation(UpdatePaymentDocument);
  const save = async (changes: Changes): Promise<Problem | undefined> => {
    const { problem } = await update({ id: payment.id, input: { ...changes, status: to } });
    if (!problem) {
      showSuccess(`${paymentName(payment)} is ${to.toLowerCase()}.`);
      close();
    }
    return problem;
  };
  return <RecordForm fields={fields} submitLabel={labels[action]} cancel={close} save={save} />;
}

/** Marks a payment as returned. The return code decides what happens next. */
function MarkReturned(step: ActionProps) {
  const result = useQuery(graphQuery(ReturnCodeOptionsDocument, {}));
  const options = (result.data?.bounceCodes ?? [])
    .filter((c) => c.isActive)
    .map((c) => ({ value: c.id, label: `${c.code} ${c.title}` }));
  const fields: FormField[] = [
    { name: "bounceCodeId", label: "Return code", kind: "choice", options, hint: "Determines the next action" },
    ...noteFields,
  ];
  return <ChangeStatus {...step} to="BOUNCED" action="bounce" fields={fields} />;
}

function MakeUp({ payment, close }: ActionProps) {
  const [makeUp] = useGraphMutation(MakeUpPaymentDocument);
  return (
    <RecordForm
      fields={[
        {
          name: "scheduledDate",
          label: "Collect on",
          kind: "date",
          hint: "Default: the next payment day after the last scheduled one",
        },
        { name: "method", label: "Method", kind: "choice", options: methodOptions, hint: "Default: ACH" },
      ]}
      submitLabel={labels.makeUp}
      cancel={close}
      save={async (input) => {
        const { data, problem } = await makeUp({ id: payment.id, input });
        if (!problem) {
          showSuccess(`Make-up payment scheduled for ${day(data.makeUpPayment?.madeUpBy?.scheduledDate)}.`);
          close();
        }
        return problem;
      }}
    />
  );
}

function Retry({ payment, close }: ActionProps) {
  const [retry] = useGraphMutation(RetryPaymentDocument);
  return (
    <RecordForm
      fields={[{ name: "scheduledDate", label: "Debit on", kind: "date", hint: "Default: the next banking day" }]}
      submitLabel={labels.retry}
      cancel={close}
      save={async (input) => {
        const { data, problem } = await retry({ id: payment.id, input });
        if (!problem) {
          showSuccess(`Retry scheduled for ${day(data.retryPayment?.madeUpBy?.scheduledDate)}.`);
          close();
        }
        return problem;
      }}
    />
  );
}
