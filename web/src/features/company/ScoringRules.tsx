import { Stack, Table } from "@mantine/core";
import { humanize } from "../../components/format";
import { JsonView } from "../../components/JsonView";
import { SmallTable } from "../../components/SmallTable";

type Band = { atLeast?: unknown; below?: unknown; points?: unknown };
type Rule = { metric: string; max: unknown; bands: Band[] };

const isRule = (value: unknown): value is Rule =>
  typeof value === "object" && value !== null && "metric" in value && "bands" in value && Array.isArray(value.bands);

/** Formats a metric's name: avgMonthlyTrueRevenue becomes Avg monthly true revenue. */
const metricLabel = (metric: string) => humanize(metric.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));

/** Formats the points of a range: 20: at least 100000. */
const formatBand = ({ points, ...bounds }: Band) =>
  [
    `${String(points)}:`,
    ...Object.entries(bounds).map(([name, value]) => `${metricLabel(name).toLowerCase()} ${String(value)}`),
  ].join(" ");

/** Shows the points of each metric as a table, and the other rules as pairs. */
export function ScoringRules({ value }: { value: unknown }) {
  const { rules, ...rest } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const validRules = Array.isArray(rules) && rules.every(isRule) ? (rules as Rule[]) : undefined;
  if (!validRules) {
    return <JsonView value={value} />;
  }
  return (
    <Stack>
      <SmallTable
        label="Metrics"
        region="Table of metrics"
        minWidth={520}
        head={
          <>
            <Table.Th>Metric</Table.Th>
            <Table.Th ta="right">Max points</Table.Th>
            <Table.Th>Points</Table.Th>
          </>
        }
      >
        {validRules.map((rule) => (
          <Table.Tr key={rule.metric}>
            <Table.Td>{metricLabel(rule.metric)}</Table.Td>
            <Table.Td ta="right">{String(rule.max)}</Table.Td>
            <Table.Td>{rule.bands.map(formatBand).join("; ")}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
      <JsonView value={rest} />
    </Stack>
  );
}
