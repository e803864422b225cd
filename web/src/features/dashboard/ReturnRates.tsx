import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { count, day, percent } from "../../components/format";
import { Section } from "../../components/Section";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import { type PaymentReturnRateKind, type PaymentReturnRateLevel, ReturnRatesDocument } from "../../gql/documents";

const kinds: Record<PaymentReturnRateKind, string> = {
  UNAUTHORIZED: "Unauthorized",
  ADMINISTRATIVE: "Administrative",
  OVERALL: "Overall",
};

const levels: Record<PaymentReturnRateLevel, string> = {
  OK: "Within limit",
  WARNING: "Near limit",
  EXCEEDED: "Over limit",
};

/** Shows the recent return rates of ACH debits against NACHA's limits. */
export function ReturnRates() {
  const result = useQuery(graphQuery(ReturnRatesDocument, {}));
  const rates = result.data?.returnRates;
  if (!rates) {
    return null;
  }
  return (
    <Section title="ACH return rates">
      <SmallTable
        label="ACH return rates"
        region="Table of ACH return rates"
        minWidth={420}
        head={
          <>
            <Table.Th>Rate</Table.Th>
            <Table.Th ta="right">Returns</Table.Th>
            <Table.Th ta="right">Current</Table.Th>
            <Table.Th ta="right">Limit</Table.Th>
            <Table.Th>Status</Table.Th>
          </>
        }
      >
        {rates.rates.map((r) => (
          <Table.Tr key={r.kind}>
            <Table.Td>{kinds[r.kind]}</Table.Td>
            <Table.Td ta="right">{count(r.returns)}</Table.Td>
            <Table.Td ta="right">{percent(r.rate)}</Table.Td>
            <Table.Td ta="right">{percent(r.limit)}</Table.Td>
            <Table.Td>
              <StateBadge state={r.level} label={levels[r.level]} />
            </Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
      <Text size="sm" c="dimmed">
        Of {count(rates.debits)} ACH debits from {day(rates.from)} to {day(rates.to)}.
      </Text>
    </Section>
  );
}
