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
import { Sheet } from "../../components/Sheet";
import type { Column } from "../../components/table";
import { report, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  DealParticipationsDocument,
  type DealParticipationsQuery,
  type DealState,
  DeleteParticipationDocument,
  UpdateParticipationDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { accruals, fee, recognitions, shareField, termFields } from "../syndicators/fields";
import { GiveShare } from "./GiveShare";

type OfDeal = NonNullable<DealParticipationsQuery["deal"]>;
type Participation = NonNullable<OfDeal["participations"]>[number];

/** Those in which the terms of a deal, and who shares it, may change. */
const open: readonly DealState[] = ["INCEPTION", "SUBMITTED", "WITHDRAWN"];

/** Participations says who holds which share of a deal and what came of it, and gives shares while that may be done. */
export default function Participations({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealParticipationsDocument, { id }));
  const can = useCan();
  return (
    <Loaded what="participations" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => {
        const parts = deal.participations ?? [];
        const writes = can("syndicators:write") && open.includes(deal.state);
        return (
          <Stack>
            <Sums of={deal} parts={parts} />
            <Problems of={deal.participationProblems ?? []} />
            <Group justify="space-between" align="flex-start">
              <Text size="sm" c="dimmed" maw={640}>
                {rule(deal, parts)}
              </Text>
              {writes && deal.fundedAmount !== null && <GiveShare dealId={id} taken={parts} />}
            </Group>
            {parts.length > 0 && (
              <Sheet
                label="Participations"
                columns={[...agreed, ...(parts.some((p) => p.fundedAt) ? happened : []), ...(writes ? [acts] : [])]}
                rows={parts}
                rowKey={(p) => p.id}
                minWidth={parts.some((p) => p.fundedAt) ? 900 : 640}
              />
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** shared adds shares up in millionths of a per cent, in which they are exact. */
function shared(parts: Participation[]): bigint {
  return parts.reduce((total, { percent: share }) => {
    const [whole = "0", fraction = ""] = share.split(".");
    return total + BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
  }, 0n);
}

const share = (millionths: bigint) =>
  percent(`${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, "0")}`);

function Sums({ of: deal, parts }: { of: OfDeal; parts: Participation[] }) {
  const sold = shared(parts);
  const total = parts.reduce((all, p) => all + cents(p.amount), 0n);
  const whole = deal.fundedAmount === null ? null : cents(deal.fundedAmount);
  return (
    <Figures
      label="Shares"
      of={[
        [open.includes(deal.state) ? "To be funded" : "Funded", money(deal.fundedAmount)],
        ["Syndicators", share(sold)],
        ["They put in", money(amount(total))],
        ["The house keeps", share(100_000_000n - sold)],
        ["It puts in", whole === null ? none : money(amount(whole - total))],
      ]}
    />
  );
}

/** Problems are what keeps the deal from being funded as it is shared now. */
function Problems({ of }: { of: string[] }) {
  return of.length === 0 ? null : (
    <Alert variant="default" icon={<TriangleAlert aria-hidden />} title="The deal cannot be funded so" role="note">
      <List size="sm">
        {of.map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** rule says what may be done about the shares now, and what will become of them. */
function rule({ state, fundedAmount }: OfDeal, parts: Participation[]): string {
  if (!open.includes(state)) {
    if (state === "PREFUNDED") {
      return "The deal is approved: its shares no longer change. Funding takes what they cost out of the wallets.";
    }
    return parts.length === 0
      ? "The house has all of this deal. Shares are given before a deal is approved."
      : "The deal is funded, and its shares are fixed. What comes in is divided with each payment, and paid out with the payouts.";
  }
  if (fundedAmount === null) {
    return "The deal has to be priced before it is shared.";
  }
  return "Shares are given until the deal is approved, 100% at most. They cost nothing until it is funded; then each is paid for out of its wallet.";
}

/** What is agreed on a share. */
const agreed: Column<Participation, never>[] = [
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
  { title: "Share", right: true, cell: (p) => percent(p.percent) },
  { title: "Puts in", right: true, cell: (p) => money(p.amount) },
  { title: "Terms", cell: (p) => <Terms of={p} /> },
];

/** What a share has come to since it became money. */
const happened: Column<Participation, never>[] = [
  { title: "Collected", right: true, cell: (p) => money(p.figures?.collected) },
  { title: "Charged", right: true, cell: (p) => money(p.figures?.charged) },
  { title: "Paid out", right: true, cell: (p) => money(p.figures?.paidOut) },
  { title: "Still to come", right: true, cell: (p) => money(p.figures?.outstanding) },
  { title: "Since", whole: true, cell: (p) => <Instant at={p.fundedAt} date /> },
];

const acts: Column<Participation, never> = { title: "To do", cell: (p) => <Acts of={p} /> };

function Terms({ of: p }: { of: Participation }) {
  const lines = [
    `Fee: ${fee(p).toLowerCase()}`,
    `Charges: ${recognitions[p.cafRecognition].toLowerCase()}`,
    p.profitSplitPercent !== null &&
      `Keeps ${percent(p.profitSplitPercent)} of the profit, ${accruals[p.profitAccrual].toLowerCase()}`,
    p.frontsCommission && "Bears a share of the commission",
    p.lossProtected && "The house bears its losses",
  ].filter(Boolean);
  return (
    <Text size="xs" c="dimmed" component="div">
      {lines.map((line) => (
        <div key={String(line)}>{line}</div>
      ))}
    </Text>
  );
}

function Acts({ of: p }: { of: Participation }) {
  const [update] = useAct(UpdateParticipationDocument);
  const [remove] = useAct(DeleteParticipationDocument);
  const name = p.syndicator?.name ?? `participation ${p.id}`;
  return (
    <Group gap={6} wrap="nowrap">
      <FormDialog
        label="Change"
        name={`Change the share of ${name}`}
        size="xs"
        variant="default"
        fields={[shareField, ...termFields]}
        initial={p}
        submitLabel="Save"
        save={async (input) => {
          const { problem } = await update({ id: p.id, input });
          if (!problem) {
            tell(`The share of ${name} is changed.`);
          }
          return problem;
        }}
      />
      <ConfirmButton
        label="Remove"
        name={`Remove the share of ${name}`}
        size="xs"
        danger
        consequence={`The house takes over ${percent(p.percent)} of the deal, ${money(p.amount)}.`}
        run={() => report(remove({ id: p.id }), `${name} no longer takes part in the deal.`)}
      />
    </Group>
  );
}
