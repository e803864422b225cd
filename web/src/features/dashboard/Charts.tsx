import { Text, useMantineTheme } from "@mantine/core";
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { day, money, shortMoney } from "../../components/format";
import { Section } from "../../components/Section";
import type { DashboardQuery } from "../../gql/documents";

type DashboardData = NonNullable<DashboardQuery["dashboard"]>;

const monthName = new Intl.DateTimeFormat("en-US", { month: "short", year: "2-digit", timeZone: "UTC" });
const dayName = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });

/** Formats a day for an axis. */
const formatDate = (format: Intl.DateTimeFormat, date: string) => format.format(new Date(`${date}T00:00:00Z`));

/** Charts use floats; the tooltip shows the exact value. */
type Point = { label: string; title: string } & Record<string, number | string>;

function Chart({
  title,
  points,
  series,
  empty,
}: {
  title: string;
  points: Point[];
  series: { key: string; name: string; color: string }[];
  /** Shown if there is no data. */
  empty: string;
}) {
  if (points.every((point) => series.every(({ key }) => point[key] === 0))) {
    return (
      <Section title={title}>
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      </Section>
    );
  }
  return (
    <Section title={title}>
      <figure style={{ margin: 0 }} aria-label={title}>
        <ResponsiveContainer width="100%" height={230}>
          <BarChart data={points} accessibilityLayer={false} barGap={0}>
            <CartesianGrid vertical={false} strokeDasharray="3 3" strokeOpacity={0.5} />
            <XAxis dataKey="label" tick={{ fill: "currentColor", fontSize: 12 }} minTickGap={16} />
            <YAxis tickFormatter={shortMoney} tick={{ fill: "currentColor", fontSize: 12 }} width={64} />
            <Tooltip
              cursor={{ fill: "var(--mantine-color-default-hover)" }}
              labelFormatter={(_, shown) => (shown[0]?.payload as Point | undefined)?.title}
              formatter={(_, name, item) => [
                money(String((item.payload as Point)[`${String(item.dataKey)}Exact`])),
                name,
              ]}
              contentStyle={{ background: "var(--mantine-color-body)" }}
              itemStyle={{ color: "var(--mantine-color-text)" }}
            />
            {series.length > 1 && (
              <Legend
                formatter={(name: string) => <span style={{ color: "var(--mantine-color-text)" }}>{name}</span>}
              />
            )}
            {series.map((s) => (
              <Bar key={s.key} dataKey={s.key} name={s.name} fill={s.color} isAnimationActive={false} />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </figure>
    </Section>
  );
}

/** Charts of funding by month, and of collections against expectations by day. */
export default function Charts({ figures }: { figures: DashboardData }) {
  const { colors } = useMantineTheme();
  const funded = figures.fundedVolume.map((m) => ({
    label: formatDate(monthName, m.month),
    title: `${formatDate(monthName, m.month)}, ${m.deals.count} deals`,
    funded: Number(m.deals.amount),
    fundedExact: m.deals.amount,
  }));
  const collected = figures.collections?.map((d) => ({
    label: formatDate(dayName, d.date),
    title: day(d.date),
    expected: Number(d.expected.amount),
    expectedExact: d.expected.amount,
    collected: Number(d.collected.amount),
    collectedExact: d.collected.amount,
    bounced: Number(d.bounced.amount),
    bouncedExact: d.bounced.amount,
  }));
  const brand = colors.brand?.[6] ?? "currentColor";
  return (
    <>
      <Chart
        title="Funded volume, 12 months"
        empty="No deals funded in the last 12 months."
        points={funded}
        series={[{ key: "funded", name: "Funded", color: brand }]}
      />
      {collected && (
        <Chart
          title="Collected vs. expected, 30 days"
          empty="No payments expected in the last 30 days."
          points={collected}
          series={[
            { key: "expected", name: "Expected", color: colors.gray[5] },
            { key: "collected", name: "Collected", color: brand },
            { key: "bounced", name: "Returned", color: colors.red[7] },
          ]}
        />
      )}
    </>
  );
}
