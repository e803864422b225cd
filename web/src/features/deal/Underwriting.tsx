import { Group, Stack, Table, Text, Title } from "@mantine/core";
import { ActionButton } from "../../components/ActionButton";
import { Fields } from "../../components/Fields";
import { count, day, humanize, money, none, percent, rate } from "../../components/format";
import { Instant } from "../../components/Instant";
import { JsonView } from "../../components/JsonView";
import { Section } from "../../components/Section";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { DealUnderwritingDocument, type DealUnderwritingQuery, RunDecisionDocument } from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { DealList } from "./DealList";

type NodeOf<Key extends "statementAnalyses" | "decisions"> = NonNullable<
  NonNullable<DealUnderwritingQuery["deal"]>[Key]
>["nodes"][number];

/** Shows the analysis of the bank statements, and the policy's decision. */
export default function Underwriting({ id }: { id: string }) {
  const can = useCan();
  return (
    <Stack>
      {can("statement-analysis:read") && (
        <>
          <Title order={2}>Bank statements</Title>
          <DealList
            id={id}
            noun="analyses"
            document={DealUnderwritingDocument}
            list={(data) => data.deal?.statementAnalyses}
            empty="No bank statement analysis yet. It arrives through the API or an inbound event."
          >
            {(items) => items.map((a, i) => <Analysis key={a.id} analysis={a} active={i === 0} />)}
          </DealList>
        </>
      )}
      <Group justify="space-between">
        <Title order={2}>Decisions</Title>
        {can("decisions.run") && <RunDecision dealId={id} />}
      </Group>
      <DealList
        id={id}
        noun="decisions"
        document={DealUnderwritingDocument}
        list={(data) => data.deal?.decisions}
        empty="No underwriting decision yet."
      >
        {(items) => items.map((d) => <Decision key={d.id} decision={d} />)}
      </DealList>
    </Stack>
  );
}

function Analysis({ analysis: a, active }: { analysis: NodeOf<"statementAnalyses">; active: boolean }) {
  return (
    <Section
      title={`Version ${a.version} by ${a.source}`}
      actions={<StateBadge state={active ? "ACTIVE" : "SUPERSEDED"} label={active ? "Active" : "Superseded"} />}
    >
      {a.altered && (
        <Text fw={600} c="var(--mantine-color-error)">
          {active
            ? "The statements look altered. The deal cannot be funded without a newer, clean analysis."
            : "The statements looked altered."}
        </Text>
      )}
      <Fields
        label="Analysis"
        items={[
          ["Period", `${day(a.periodStart)} to ${day(a.periodEnd)}`],
          ["Months covered", count(a.monthsCovered)],
          ["Revenue, 3 months", money(a.trueRevenue3m)],
          ["Average monthly revenue", money(a.avgMonthlyTrueRevenue)],
          ["Gross deposits", money(a.grossDeposits)],
          ["MCA deposits", money(a.mcaDeposits)],
          ["Internal transfers", money(a.internalTransfers)],
          ["Average daily balance", money(a.avgDailyBalance)],
          ["Monthly MCA payments", money(a.estimatedMcaMonthly)],
          ["Open positions", count(a.positionCount)],
          ["NSF", count(a.nsfCount)],
          ["Negative days", count(a.negativeDays)],
          ["Received", <Instant key="received" at={a.receivedAt} />],
        ]}
      />
      {a.positions != null && (
        <>
          <Title order={3}>Positions</Title>
          <JsonView value={a.positions} />
        </>
      )}
      {a.altered && <JsonView value={a.alteredFlags} />}
    </Section>
  );
}

/** Scores the deal by the active policy and the newest analysis. */
function RunDecision({ dealId }: { dealId: string }) {
  const [run] = useGraphMutation(RunDecisionDocument);
  return (
    <ActionButton
      label="Run decision"
      size="sm"
      variant="filled"
      run={async () => {
        const { data, problem } = await run({ dealId });
        if (problem) {
          showProblem(problem);
        } else {
          showSuccess(`Recommendation: ${data.runDecision?.recommendation}.`);
        }
      }}
    />
  );
}

/** A reason of a decision, as the policy stored it. */
type Contribution = { metric: string; value: string | number | null; points: number; max: number };
type Flag = { severity: string; value: unknown; threshold: unknown; message: string };
type MaxOffer = {
  fundedAmount: string;
  factorRate: string;
  termDays: number | null;
  paymentAmount: string;
  specifiedPercentage: string;
  limitedBy: string;
};

const metrics: Record<string, string> = {
  avgMonthlyTrueRevenue: "Monthly revenue",
  balanceDays: "Daily balance, in days of revenue",
  nsfPerMonth: "NSFs per month",
  negativeDaysPerMonth: "Negative days per month",
  positionCount: "Open positions",
  holdbackPct: "Holdback after this offer",
  trendPct: "Revenue trend",
  monthsInBusiness: "Months in business",
  largestDepositorPct: "Largest depositor share",
  monthsMissing: "Missing statement months",
};

/** Formats a metric in its unit. */
function formatMetric({ metric, value }: Contribution): string {
  if (value === null) {
    return none;
  }
  const text = String(value);
  return metric === "avgMonthlyTrueRevenue" ? money(text) : metric.endsWith("Pct") ? percent(text) : text;
}

const limits: Record<string, string> = {
  REVENUE: "Revenue",
  POLICY_CAP: "Policy maximum",
  HOLDBACK: "Holdback limit",
};

function Decision({ decision: d }: { decision: NodeOf<"decisions"> }) {
  const flags = Object.entries((d.flags ?? {}) as Record<string, Flag>);
  const offer = d.maxOffer as MaxOffer | null;
  const contributions = (d.contributions ?? []) as Contribution[];
  return (
    <Section
      title={`Score ${d.score}, category ${d.category}`}
      actions={<StateBadge state={d.recommendation.toUpperCase()} />}
    >
      <Text c="dimmed" size="sm">
        <Instant at={d.createdAt} />
        {d.policy && `, by version ${d.policy.version} of ${d.policy.name}`}
      </Text>
      {flags.length > 0 && (
        <Stack component="ul" gap={4} m={0} pl="md" aria-label="Flags">
          {flags.map(([code, flag]) => (
            <Text component="li" size="sm" key={code}>
              <Text component="span" fw={600}>
                {humanize(code)} ({humanize(flag.severity).toLowerCase()}):
              </Text>{" "}
              {flag.message}
            </Text>
          ))}
        </Stack>
      )}
      {offer && (
        <Fields
          label="Maximum offer"
          items={[
            ["Maximum amount", money(offer.fundedAmount)],
            ["Factor rate", rate(offer.factorRate)],
            ["Payment amount", money(offer.paymentAmount)],
            ["Term", offer.termDays === null ? none : `${offer.termDays} days`],
            ["Holdback", percent(offer.specifiedPercentage)],
            ["Limited by", limits[offer.limitedBy] ?? humanize(offer.limitedBy)],
          ]}
        />
      )}
      {contributions.length > 0 && <ReasonTable id={d.id} contributions={contributions} />}
    </Section>
  );
}

/** Shows the points of each rule. */
function ReasonTable({ id, contributions }: { id: string; contributions: Contribution[] }) {
  return (
    <SmallTable
      label={`Reasons for decision ${id}`}
      verticalSpacing={4}
      region={`Table of reasons for decision ${id}`}
      minWidth={420}
      head={
        <>
          <Table.Th>Rule</Table.Th>
          <Table.Th ta="right">Figure</Table.Th>
          <Table.Th ta="right">Points</Table.Th>
          <Table.Th ta="right">Of</Table.Th>
        </>
      }
    >
      {contributions.map((c) => (
        <Table.Tr key={c.metric}>
          <Table.Td>{metrics[c.metric] ?? humanize(c.metric)}</Table.Td>
          <Table.Td ta="right">{formatMetric(c)}</Table.Td>
          <Table.Td ta="right">{c.points}</Table.Td>
          <Table.Td ta="right">{c.max}</Table.Td>
        </Table.Tr>
      ))}
    </SmallTable>
  );
}
