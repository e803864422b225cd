import { Alert, Anchor, Group, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Figures } from "../../components/Figures";
import { FormDialog } from "../../components/FormDialog";
import { amount, cents, money, none, percent } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { StaticTable } from "../../components/StaticTable";
import type { Column } from "../../components/table";
import { graphQuery } from "../../gql/client";
import {
  DealParticipationsDocument,
  type DealParticipationsQuery,
  type DealState,
  DeleteParticipationDocument,
  UpdateParticipationDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { fee, feeRecognitions, percentField, profitAccruals, termFields } from "../syndicators/fields";
import { AddSyndicator } from "./AddSyndicator";

type DealWithParticipations = NonNullable<DealParticipationsQuery["deal"]>;
type Participation = NonNullable<DealWithParticipations["participations"]>[number];

/** States in which the terms and the participations can change. */
const editableStates: readonly DealState[] = ["INCEPTION", "SUBMITTED", "WITHDRAWN"];

/** Shows the participations in a deal and what they have earned. They can be added until the deal is approved. */
export default function Participations({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealParticipationsDocument, { id }));
  const can = useCan();
  return (
    <Loaded noun="participations" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => {
        const participations = deal.participations ?? [];
        const canWrite = can("syndicators:write") && editableStates.includes(deal.state);
        return (
          <Stack>
            <Split deal={deal} participations={participations} />
            <Problems problems={deal.participationProblems ?? []} />
            <Group justify="space-between" align="flex-start">
              <Text size="sm" c="dimmed" maw={640}>
                {statusText(deal, participations)}
              </Text>
              {canWrite && deal.fundedAmount !== null && <AddSyndicator dealId={id} participations={participations} />}
            </Group>
            {participations.length > 0 && (
              <StaticTable
                label="Participations"
                columns={[
                  ...termColumns,
                  ...(participations.some((p) => p.fundedAt) ? resultColumns : []),
                  ...(canWrite ? [actionsColumn] : []),
                ]}
                rows={participations}
                rowKey={(p) => p.id}
                minWidth={participations.some((p) => p.fundedAt) ? 900 : 640}
              />
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Sums percentages exactly, in millionths of a percent. */
function totalMillionths(participations: Participation[]): bigint {
  return participations.reduce((total, { percent: share }) => {
    const [whole = "0", fraction = ""] = share.split(".");
    return total + BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
  }, 0n);
}

const formatMillionths = (millionths: bigint) =>
  percent(`${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, "0")}`);

function Split({ deal, participations }: { deal: DealWithParticipations; participations: Participation[] }) {
  const syndicated = totalMillionths(participations);
  const total = participations.reduce((all, p) => all + cents(p.amount), 0n);
  const whole = deal.fundedAmount === null ? null : cents(deal.fundedAmount);
  return (
    <Figures
      label="Split"
      items={[
        [editableStates.includes(deal.state) ? "Funded amount" : "Funded", money(deal.fundedAmount)],
        ["Syndicators", formatMillionths(syndicated)],
        ["Syndicated amount", money(amount(total))],
        ["We retain", formatMillionths(100_000_000n - syndicated)],
        ["Our amount", whole === null ? none : money(amount(whole - total))],
      ]}
    />
  );
}

/** Why the participations block funding. */
function Problems({ problems }: { problems: string[] }) {
  return problems.length === 0 ? null : (
    <Alert variant="default" icon={<TriangleAlert aria-hidden />} title="Participations block funding" role="note">
      <List size="sm">
        {problems.map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** Says whether the participations can change, and when they are paid. */
function statusText({ state, fundedAmount }: DealWithParticipations, participations: Participation[]): string {
  if (!editableStates.includes(state)) {
    if (state === "PREFUNDED") {
      return "The deal is approved and its participations are locked. Funding debits each syndicator wallet.";
    }
    return participations.length === 0
      ? "We hold all of this deal. Syndicators are added before a deal is approved."
      : "The deal is funded and its participations are locked. Each payment is split and paid out with the payouts.";
  }
  if (fundedAmount === null) {
    return "Price the deal before adding syndicators.";
  }
  return "Add syndicators until the deal is approved, up to 100%. Their wallets are debited when the deal is funded.";
}

/** Columns of the agreed terms. */
const termColumns: Column<Participation, never>[] = [
  {
    title: "Syndicator",
    cell: (p) =>
      p.syndicator ? (
        <Anchor component={Link} to={`/syndicators/${p.syndicator.id}`} inherit>
          {p.syndicator.name}
        </Anchor>
      ) : (
        none
      ),
  },
  { title: "Percent", right: true, cell: (p) => percent(p.percent) },
  { title: "Amount", right: true, cell: (p) => money(p.amount) },
  { title: "Terms", cell: (p) => <Terms participation={p} /> },
];

/** Columns of the amounts since funding. */
const resultColumns: Column<Participation, never>[] = [
  { title: "Collected", right: true, cell: (p) => money(p.figures?.collected) },
  { title: "Fees", right: true, cell: (p) => money(p.figures?.charged) },
  { title: "Paid out", right: true, cell: (p) => money(p.figures?.paidOut) },
  { title: "Outstanding", right: true, cell: (p) => money(p.figures?.outstanding) },
  { title: "Funded on", nowrap: true, cell: (p) => <Instant at={p.fundedAt} date /> },
];

const actionsColumn: Column<Participation, never> = {
  title: "Actions",
  cell: (p) => <ParticipationActions participation={p} />,
};

function Terms({ participation: p }: { participation: Participation }) {
  const lines = [
    `Fee: ${fee(p).toLowerCase()}`,
    `Fees taken: ${feeRecognitions[p.cafRecognition].toLowerCase()}`,
    p.profitSplitPercent !== null &&
      `${percent(p.profitSplitPercent)} of profit, ${profitAccruals[p.profitAccrual].toLowerCase()}`,
    p.frontsCommission && "Shares commission cost",
    p.lossProtected && "Loss protected",
  ].filter(Boolean);
  return (
    <Text size="xs" c="dimmed" component="div">
      {lines.map((line) => (
        <div key={String(line)}>{line}</div>
      ))}
    </Text>
  );
}

function ParticipationActions({ participation: p }: { participation: Participation }) {
  const [update] = useGraphMutation(UpdateParticipationDocument);
  const [remove] = useGraphMutation(DeleteParticipationDocument);
  const name = p.syndicator?.name ?? `participation ${p.id}`;
  return (
    <Group gap={6} wrap="nowrap">
      <FormDialog
        label="Edit"
        name={`Edit participation of ${name}`}
        size="xs"
        variant="default"
        fields={[percentField, ...termFields]}
        initial={p}
        submitLabel="Save"
        save={async (input) => {
          const { problem } = await update({ id: p.id, input });
          if (!problem) {
            showSuccess(`Participation of ${name} saved.`);
          }
          return problem;
        }}
      />
      <ConfirmButton
        label="Remove"
        name={`Remove ${name}`}
        size="xs"
        danger
        consequence={`We take over ${percent(p.percent)} of the deal, ${money(p.amount)}.`}
        run={() => showOutcome(remove({ id: p.id }), `${name} removed from the deal.`)}
      />
    </Group>
  );
}
