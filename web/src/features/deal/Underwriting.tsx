import { Stack, Text, Title } from "@mantine/core";
import { Data } from "../../components/Data";
import { Fields } from "../../components/Fields";
import { count, day, money } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { DealUnderwritingDocument, type DealUnderwritingQuery } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { Part } from "./Part";

type Of<Key extends "statementAnalyses" | "decisions"> = NonNullable<
  NonNullable<DealUnderwritingQuery["deal"]>[Key]
>["nodes"][number];

/** Underwriting shows what was read out of the bank statements, and what the policy made of it. */
export default function Underwriting({ id }: { id: string }) {
  const can = useCan();
  return (
    <Stack>
      {can("statement-analysis:read") && (
        <>
          <Title order={2}>Bank statements</Title>
          <Part
            id={id}
            what="analyses"
            document={DealUnderwritingDocument}
            list={(data) => data.deal?.statementAnalyses}
            empty="No bank statements were analysed for this deal yet."
          >
            {(items) => items.map((a, i) => <Analysis key={a.id} analysis={a} inForce={i === 0} />)}
          </Part>
        </>
      )}
      <Title order={2}>Decisions</Title>
      <Part
        id={id}
        what="decisions"
        document={DealUnderwritingDocument}
        list={(data) => data.deal?.decisions}
        empty="This deal was not judged by the underwriting policy yet."
      >
        {(items) => items.map((d) => <Decision key={d.id} decision={d} />)}
      </Part>
    </Stack>
  );
}

function Analysis({ analysis: a, inForce }: { analysis: Of<"statementAnalyses">; inForce: boolean }) {
  return (
    <Section
      title={`Version ${a.version} by ${a.source}`}
      actions={<StateBadge state={inForce ? "ACTIVE" : "SUPERSEDED"} label={inForce ? "In force" : "Superseded"} />}
    >
      {a.altered && (
        <Text fw={600} c="var(--mantine-color-error)">
          The statements look tampered with. The deal cannot be funded until a newer, clean analysis is here.
        </Text>
      )}
      <Fields
        label="Analysis"
        of={[
          ["Period", `${day(a.periodStart)} to ${day(a.periodEnd)}`],
          ["Months covered", count(a.monthsCovered)],
          ["Revenue of three months", money(a.trueRevenue3m)],
          ["Monthly revenue, average", money(a.avgMonthlyTrueRevenue)],
          ["All deposits", money(a.grossDeposits)],
          ["Advances among them", money(a.mcaDeposits)],
          ["Own transfers among them", money(a.internalTransfers)],
          ["Daily balance, average", money(a.avgDailyBalance)],
          ["Advances take in a month", money(a.estimatedMcaMonthly)],
          ["Open positions", count(a.positionCount)],
          ["NSF", count(a.nsfCount)],
          ["Days below zero", count(a.negativeDays)],
          ["Received", <Instant key="received" at={a.receivedAt} />],
        ]}
      />
      {a.positions != null && (
        <>
          <Title order={3}>Positions</Title>
          <Data value={a.positions} />
        </>
      )}
      {a.altered && <Data value={a.alteredFlags} />}
    </Section>
  );
}

function Decision({ decision: d }: { decision: Of<"decisions"> }) {
  return (
    <Section
      title={`Score ${d.score}, category ${d.category}`}
      actions={<StateBadge state={d.recommendation.toUpperCase()} />}
    >
      <Text c="dimmed" size="sm">
        <Instant at={d.createdAt} />
      </Text>
      {d.maxOffer != null && (
        <>
          <Title order={3}>At most</Title>
          <Data value={d.maxOffer} />
        </>
      )}
      <Title order={3}>Flags</Title>
      <Data value={d.flags} />
      <Title order={3}>Metrics</Title>
      <Data value={d.metrics} />
    </Section>
  );
}
