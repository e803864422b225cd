import { Group, Text } from "@mantine/core";
import { ActionButton } from "../../components/ActionButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { FormDialog, reasonField } from "../../components/FormDialog";
import { money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { StateBadge } from "../../components/StateBadge";
import { StaticTable } from "../../components/StaticTable";
import type { Column } from "../../components/table";
import {
  ApproveDrawDocument,
  DeclineDrawDocument,
  type DrawRepayment,
  FundDrawDocument,
  RepayDrawDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { useSession } from "../../session/session";
import { methodOptions } from "../payments/fields";
import type { CreditLine } from "./Line";

type Draw = NonNullable<CreditLine["draws"]>[number];

/** first: the draw that funds the deal itself. open: the line can pay out more draws. */
type Row = Draw & { first: boolean; open: boolean };

const columns: Column<Row, never>[] = [
  {
    title: "Requested by",
    nowrap: true,
    cell: (d) => (
      <>
        <Instant at={d.createdAt} date />
        <Text size="xs" c="dimmed">
          {[d.first && "Initial funding", d.requestedBy ?? d.requestedByUser?.name].filter(Boolean).join(", ")}
        </Text>
      </>
    ),
  },
  { title: "Amount", right: true, cell: (d) => money(d.amount) },
  { title: "Fee", right: true, cell: (d) => money(d.feeAmount) },
  { title: "Payback amount", right: true, cell: (d) => money(d.paybackAmount) },
  {
    title: "Status",
    cell: (d) => (
      <>
        <StateBadge state={d.status} />
        {d.approvedByUser && d.status !== "DECLINED" && (
          <Text size="xs" c="dimmed">
            Approved by {d.approvedByUser.name}
          </Text>
        )}
        {d.declinedReason && (
          <Text size="xs" c="dimmed">
            {d.declinedReason}
          </Text>
        )}
      </>
    ),
  },
  { title: "Funded on", nowrap: true, cell: (d) => <Instant at={d.fundedAt} date /> },
  { title: "Outstanding", right: true, cell: (d) => money(d.unpaid) },
  { title: "Actions", cell: (d) => <DrawActions draw={d} /> },
];

/** Lists the draws on a line with their actions. The first draw funds the deal. */
export function Draws({ draws, open }: { draws: Draw[]; open: boolean }) {
  const rows = draws.map((d, i) => ({ ...d, first: i === 0, open })).reverse();
  return <StaticTable label="Draws" columns={columns} rows={rows} rowKey={(d) => d.id} minWidth={820} />;
}

function DrawActions({ draw: d }: { draw: Row }) {
  const can = useCan();
  const { user } = useSession();
  const canApprove = can("draws.approve") && can("credit-facilities:write");
  const ownRequest = d.requestedByUser?.id === String(user.id);
  const pending = d.status === "REQUESTED" || d.status === "APPROVED";
  if (d.first && pending) {
    return (
      <Text size="xs" c="dimmed">
        Follows the deal
      </Text>
    );
  }
  if (d.status === "FUNDED" && can("payments:write")) {
    return <Repay draw={d} />;
  }
  if (!pending || d.first) {
    return none;
  }
  return (
    <Group gap={6} wrap="nowrap">
      {d.status === "REQUESTED" && d.open && canApprove && !ownRequest && <Approve draw={d} />}
      {d.status === "APPROVED" && d.open && can("credit-facilities:write") && <FundDraw draw={d} />}
      {canApprove && <Decline draw={d} />}
      {canApprove && ownRequest && d.status === "REQUESTED" && (
        <Text size="xs" c="dimmed">
          You requested this draw, so someone else must approve it
        </Text>
      )}
      {!canApprove && d.status === "REQUESTED" && (
        <Text size="xs" c="dimmed">
          Waiting for approval
        </Text>
      )}
    </Group>
  );
}

function Approve({ draw: { id, amount } }: { draw: Row }) {
  const [approve] = useGraphMutation(ApproveDrawDocument);
  return (
    <ActionButton
      label="Approve"
      name={`Approve the draw of ${money(amount)}`}
      variant="filled"
      run={() => showOutcome(approve({ id }), `Draw of ${money(amount)} approved. Fund it next.`)}
    />
  );
}

function Decline({ draw: { id, amount } }: { draw: Row }) {
  const [decline] = useGraphMutation(DeclineDrawDocument);
  return (
    <FormDialog
      label="Decline"
      name={`Decline the draw of ${money(amount)}`}
      size="xs"
      variant="default"
      fields={[reasonField]}
      submitLabel="Decline"
      save={async ({ reason }) => {
        const { problem } = await decline({ id, reason: String(reason ?? "") });
        if (!problem) {
          showSuccess(`Draw of ${money(amount)} declined.`);
        }
        return problem;
      }}
    />
  );
}

function FundDraw({ draw: { id, amount, feeAmount, paybackAmount } }: { draw: Row }) {
  const [fund] = useGraphMutation(FundDrawDocument);
  const fee = feeAmount ? ` less a fee of ${money(feeAmount)}` : "";
  return (
    <ConfirmButton
      label="Fund draw"
      name={`Fund draw of ${money(amount)}`}
      size="xs"
      variant="filled"
      consequence={`The merchant receives ${money(amount)}${fee} and owes ${money(paybackAmount)} more. Payments are scheduled.`}
      run={() => showOutcome(fund({ id }), "Draw funded. Send the money under Payments.")}
    />
  );
}

function Repay({ draw: { id, amount, unpaid } }: { draw: Row }) {
  const [repay] = useGraphMutation(RepayDrawDocument);
  return (
    <FormDialog
      label="Record repayment"
      name={`Record repayment: draw of ${money(amount)}`}
      size="xs"
      variant="default"
      fields={[
        {
          name: "amount",
          label: "Amount",
          kind: "money",
          hint: unpaid ? `${money(unpaid)} (full amount) by default` : "Default: full amount",
        },
        { name: "method", label: "Method", kind: "choice", options: methodOptions, hint: "Default: ACH" },
        { name: "clearedDate", label: "Cleared on", kind: "date", hint: "Default: today" },
        { name: "referenceId", label: "Reference ID" },
      ]}
      submitLabel="Record"
      save={async (changes) => {
        const { problem } = await repay({ id, input: changes as DrawRepayment });
        if (!problem) {
          showSuccess("Repayment recorded.");
        }
        return problem;
      }}
    />
  );
}
