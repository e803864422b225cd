import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { cents, count, humanize, roundMoney } from "../../components/format";
import { Section } from "../../components/Section";
import type { DashboardQuery } from "../../gql/documents";
import { openStates } from "../deals/states";
import classes from "./Dashboard.module.css";

type Stage = NonNullable<DashboardQuery["dashboard"]>["pipeline"][number];

/** A percentage of the largest amount, rounded down; a bar needs no more precision. */
const barWidth = (amount: string, largest: bigint) => (largest > 0n ? Number((cents(amount) * 100n) / largest) : 0);

/** Shows the number and the amount of open deals in each stage. */
export function Pipeline({ figures }: { figures: { pipeline: Stage[] } }) {
  const stages = figures.pipeline.filter((stage) => openStates.some((state) => state === stage.state));
  const largest = stages.reduce((max, s) => (cents(s.deals.amount) > max ? cents(s.deals.amount) : max), 0n);
  return (
    <Section title="Pipeline">
      <Table aria-label="Deals by stage" verticalSpacing={6} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stage</Table.Th>
            <Table.Th ta="right">Deals</Table.Th>
            <Table.Th ta="right">Funded amount</Table.Th>
            <Table.Th className={classes.barColumn} aria-hidden />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stages.map((stage) => (
            <Table.Tr key={stage.state}>
              <Table.Td>
                <Anchor component={Link} to={`/deals?state=${stage.state}`} inherit>
                  {humanize(stage.state)}
                </Anchor>
              </Table.Td>
              <Table.Td ta="right">{count(stage.deals.count)}</Table.Td>
              <Table.Td ta="right">{roundMoney(stage.deals.amount)}</Table.Td>
              <Table.Td className={classes.barColumn} aria-hidden>
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" className={classes.bar} aria-hidden>
                  <rect width={barWidth(stage.deals.amount, largest)} height="8" rx="1" />
                </svg>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
