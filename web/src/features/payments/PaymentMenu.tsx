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
  ReturnCodesDocument,
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

type Act = "submit" | "pay" | "bounce" | "cancel" | "retry" | "makeUp";

const names: Record<Act, string> = {
  submit: "Mark submitted",
  pay: "Mark paid",
  bounce: "Mark returned",
  cancel: "Cancel payment",
  retry: "Retry debit",
  makeUp: "Schedule make-up payment",
};

/** The actions of each status. A returned payment that has a make-up payment has none. */
const moves: Record<PaymentStatus, Act[]> = {
  PENDING: ["pay", "bounce", "submit", "cancel"],
  SUBMITTED: ["pay", "bounce", "cancel"],
  PAID: ["bounce"],
  BOUNCED: ["retry", "makeUp", "pay"],
  CANCELLED: ["pay"],
};

/** The payment types of a make-up. */
const collections: readonly PaymentType[] = ["ORIGINAL_ADVANCE_PAYBACK", "ADVANCE_PAYBACK"];

function offered(p: Payment): Act[] {
  if (p.status === "BOUNCED" && p.madeUpBy && p.madeUpBy.status !== "CANCELLED") {
    return [];
  }
  const again = collections.includes(p.type);
  return moves[p.status].filter(
    (act) => (act !== "makeUp" || again) && (act !== "retry" || (again && p.bounceCode?.retryable === true)),
  );
}

/** Names a payment: $515.88 of Jan 6, 2026. */
const called = (p: Payment) => `${money(p.amount)}${p.scheduledDate ? ` of ${day(p.scheduledDate)}` : ""}`;

/** Updates the status of a payment. */
export function PaymentMenu({ payment }: { payment: Payment }) {
  const can = useCan();
  const [act, setAct] = useState<Act>();
  const acts = offered(payment);
  if (acts.length === 0 || !can("payments:write")) {
    return null;
  }
  return (
    <>
      <ActionMenu label={`Update ${called(payment)}`} actions={acts} labels={names} onSelect={setAct} />
      <Modal
        opened={act !== undefined}
        onClose={() => setAct(undefined)}
        title={act ? `${names[act]}: ${called(payment)}` : ""}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {act === "retry" && <Retry payment={payment} close={() => setAct(undefined)} />}
        {act === "makeUp" && <MakeUp payment={payment} close={() => setAct(undefined)} />}
        {act === "bounce" && <Bounce payment={payment} close={() => setAct(undefined)} />}
        {act === "pay" && (
          <Become payment={payment} to="PAID" act="pay" fields={paidFields} close={() => setAct(undefined)} />
        )}
        {act === "submit" && (
          <Become payment={payment} to="SUBMITTED" act="submit" fields={noteFields} close={() => setAct(undefined)} />
        )}
        {act === "cancel" && (
          <Become payment={payment} to="CANCELLED" act="cancel" fields={noteFields} close={() => setAct(undefined)} />
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

type Step = { payment: Payment; close: () => void };

/** Changes a payment's status, with the fields that it needs. */
function Become({ payment, to, act, fields, close }: Step & { to: PaymentStatus; act: Act; fields: FormField[] }) {
  const [update] = useGraphMutation(UpdatePaymentDocument);
  const save = async (changes: Changes): Promise<Problem | undefined> => {
    const { problem } = await update({ id: payment.id, input: { ...changes, status: to } });
    if (!problem) {
      showSuccess(`${called(payment)} is ${to.toLowerCase()}.`);
      close();
    }
    return problem;
  };
  return <RecordForm fields={fields} submitLabel={names[act]} cancel={close} save={save} />;
}

/** Marks a payment as returned. The return code decides what happens next. */
function Bounce(step: Step) {
  const result = useQuery(graphQuery(ReturnCodesDocument, {}));
  const options = (result.data?.bounceCodes ?? [])
    .filter((c) => c.isActive)
    .map((c) => ({ value: c.id, label: `${c.code} ${c.title}` }));
  const fields: FormField[] = [
    { name: "bounceCodeId", label: "Return code", kind: "choice", options, hint: "Determines the next action" },
    ...noteFields,
  ];
  return <Become {...step} to="BOUNCED" act="bounce" fields={fields} />;
}

function MakeUp({ payment, close }: Step) {
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
      submitLabel={names.makeUp}
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

function Retry({ payment, close }: Step) {
  const [retry] = useGraphMutation(RetryPaymentDocument);
  return (
    <RecordForm
      fields={[{ name: "scheduledDate", label: "Debit on", kind: "date", hint: "Default: the next banking day" }]}
      submitLabel={names.retry}
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
