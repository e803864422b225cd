import { Alert, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { Figures } from "../../components/Figures";
import { count, money } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  ApprovePayoutBatchDocument,
  PayoutBatchDocument,
  type PayoutBatchFieldsFragment,
  PayPayoutBatchDocument,
} from "../../gql/documents";
import { showOutcome, showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { useSession } from "../../session/session";
import { Items } from "./Items";
import {
  creatorName,
  isCurrentUser,
  itemNames,
  itemStatuses,
  itemTotals,
  kindNames,
  payoutTitle,
  period,
  statusName,
} from "./labels";

/** The page of a payout batch. */
export function Payout() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(PayoutBatchDocument, { id }));
  return (
    <Loaded noun="payout" record={result.data?.payout} error={result.error} retry={result.refetch}>
      {(batch) => <Page key={batch.id} batch={batch} />}
    </Loaded>
  );
}

function Page({ batch }: { batch: PayoutBatchFieldsFragment }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { user } = useSession();
  const can = useCan();
  const hint = hintText(batch, can, user);
  const payable = canPay(batch, can);
  return (
    <Stack>
      <PageHeader
        title={payoutTitle(batch)}
        parent={{ to: "/payouts", title: "Payouts" }}
        titleExtra={<StateBadge state={batch.status} label={statusName(batch.status)} />}
        actions={
          <>
            {batch.status === "DRAFT" &&
              can("payouts.approve") &&
              can("payouts:write") &&
              !isCurrentUser(batch.createdBy, user) && <Approve batch={batch} />}
            {payable && <Pay batch={batch} selected={selected} onPaid={() => setSelected(new Set())} />}
          </>
        }
      />
      {hint && (
        <Alert variant="light" color="gray" role="note">
          {hint}
        </Alert>
      )}
      <Figures label="Summary" items={figures(batch)} />
      <Section title="Details">
        <Fields
          label="Details"
          items={[
            ["Type", kindNames[batch.kind]],
            ["Period", period(batch)],
            ["Created by", batch.createdBy ? creatorName(batch) : `${creatorName(batch)}, as deals were funded`],
            ["Created", <Instant key="made" at={batch.createdAt} />],
            ["Approved by", batch.approvedBy?.name],
            ["Approved", <Instant key="approved" at={batch.approvedAt} />],
            ["Last paid", <Instant key="paid" at={batch.paidAt} />],
          ]}
        />
      </Section>
      <Items batch={batch} selected={payable ? selected : undefined} setSelected={setSelected} />
    </Stack>
  );
}

/** The total, and the count and amount of each status. */
function figures(batch: PayoutBatchFieldsFragment): [string, string][] {
  return [
    ["Total", money(batch.total?.amount)],
    ["Items", count(batch.total?.count)],
    ...itemStatuses
      .map((status) => ({ status, items: itemTotals(batch, status) }))
      .filter(({ items }) => items.count > 0)
      .map(({ status, items }): [string, string] => [
        `${itemNames[status]} (${count(items.count)})`,
        money(items.amount),
      ]),
  ];
}

type Can = ReturnType<typeof useCan>;
type User = ReturnType<typeof useSession>["user"];

const payableStatuses = ["APPROVED", "PARTIAL"];

const canPay = (batch: PayoutBatchFieldsFragment, can: Can) =>
  payableStatuses.includes(batch.status) &&
  can("payouts:write") &&
  itemTotals(batch, "PENDING").count + itemTotals(batch, "HELD").count > 0;

/** Says why the user cannot take the next step, or why none is possible. */
function hintText(batch: PayoutBatchFieldsFragment, can: Can, user: User): string | undefined {
  if (batch.status === "DRAFT") {
    if (isCurrentUser(batch.createdBy, user)) {
      return "You created this payout, so someone else must approve it.";
    }
    return can("payouts.approve") && can("payouts:write") ? undefined : "Waiting for approval.";
  }
  if (!payableStatuses.includes(batch.status)) {
    return undefined;
  }
  const failed = itemTotals(batch, "FAILED").count;
  return failed > 0
    ? `${failed === 1 ? "One item has" : `${count(failed)} items have`} failed. Fix the problem, then release them to pay again.`
    : undefined;
}

function Approve({ batch }: { batch: PayoutBatchFieldsFragment }) {
  const [approve] = useGraphMutation(ApprovePayoutBatchDocument);
  return (
    <ConfirmButton
      label="Approve"
      name={`Approve ${payoutTitle(batch).toLowerCase()}`}
      variant="filled"
      consequence={`${count(batch.total?.count)} items totaling ${money(batch.total?.amount)} can then be paid.`}
      run={() => showOutcome(approve({ id: batch.id }), `${payoutTitle(batch)} approved.`)}
    />
  );
}

/** Pays all payable items, or only the selected ones. */
function Pay({
  batch,
  selected,
  onPaid,
}: {
  batch: PayoutBatchFieldsFragment;
  selected: ReadonlySet<string>;
  onPaid: () => void;
}) {
  const [pay] = useGraphMutation(PayPayoutBatchDocument);
  const hasSelection = selected.size > 0;
  const note =
    batch.kind === "COMMISSION"
      ? hasSelection
        ? " Includes commissions still subject to clawback."
        : " Commissions still subject to clawback are held."
      : hasSelection
        ? " Other items of the same syndicator and deal are paid too."
        : " Items of a syndicator that owes more than it is due are held.";
  const run = async () => {
    const { data, problem } = await pay({ id: batch.id, itemIds: hasSelection ? [...selected] : null });
    if (problem) {
      showProblem(problem);
      return;
    }
    const after = data.payPayoutBatch;
    onPaid();
    showSuccess(after ? outcomeText(batch, after) : `${payoutTitle(batch)} paid.`);
  };
  return (
    <ConfirmButton
      label={hasSelection ? `Pay ${count(selected.size)} selected` : "Pay all"}
      variant="filled"
      consequence={`Records the items as paid now. Send the money separately.${note}`}
      run={run}
    />
  );
}

/** Says what was paid, and what was held instead. */
function outcomeText(before: PayoutBatchFieldsFragment, after: PayoutBatchFieldsFragment): string {
  const onPaid = itemTotals(after, "PAID").count - itemTotals(before, "PAID").count;
  const held = itemTotals(after, "HELD").count;
  return [
    onPaid > 0 ? `${count(onPaid)} ${onPaid === 1 ? "item" : "items"} paid.` : "No items could be paid.",
    held > 0 ? `${count(held)} ${held === 1 ? "is" : "are"} on hold.` : "",
  ].join(" ");
}
