import { Anchor, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Export } from "../../components/Export";
import { humanize, money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { SmallTable } from "../../components/SmallTable";
import { graphQuery } from "../../gql/client";
import { type PaymentReturnAction, ReturnedPaymentsDocument, type ReturnedPaymentsQuery } from "../../gql/documents";
import { PaymentMenu } from "./PaymentMenu";
import classes from "./payments.module.css";

type ReturnedPayment = NonNullable<ReturnedPaymentsQuery["bounceQueue"]>[number];

/** The server's limit. */
const limit = 200;

const actions: Record<PaymentReturnAction, string> = {
  RETRY: "Retry debit",
  PAUSE: "Pause collection",
  NEW_ACCOUNT: "Get a new account",
  COLLECTIONS: "Send to collections",
  LEGAL: "Send to legal",
  REVIEW: "Review",
};

const titles = ["Deal", "Merchant", "Amount", "Returned", "Code", "Reason", "Action", "Fee"];

const csvRows = (returned: ReturnedPayment[]) =>
  returned.map((b) => [
    b.payment.deal?.dealNumber,
    b.payment.deal?.merchant?.legalName,
    b.payment.amount,
    b.payment.returnedAt,
    b.code,
    b.title,
    b.action,
    b.fee,
  ]);

/** Returned payments without a retry or make-up, newest first, with the action for each. */
export function ReturnedPayments() {
  const result = useQuery(graphQuery(ReturnedPaymentsDocument, { limit }));
  return (
    <Loaded noun="returned payments" record={result.data?.bounceQueue} error={result.error} retry={result.refetch}>
      {(returned) =>
        returned.length === 0 ? (
          <Text c="dimmed">You're all caught up.</Text>
        ) : (
          <>
            <Group justify="flex-end" mb="xs">
              <Text size="sm" c="dimmed">
                {returned.length < limit ? `${returned.length} total` : `The latest ${limit}`}
              </Text>
              <Export name="returned payments" titles={titles} page={() => ({ rows: csvRows(returned), next: null })} />
            </Group>
            <ReturnedTable payments={returned} />
          </>
        )
      }
    </Loaded>
  );
}

function ReturnedTable({ payments }: { payments: ReturnedPayment[] }) {
  return (
    <SmallTable
      highlightOnHover
      label="Returned payments"
      region="Table of returned payments"
      minWidth={760}
      head={
        <>
          <Table.Th>Deal</Table.Th>
          <Table.Th>Merchant</Table.Th>
          <Table.Th ta="right">Amount</Table.Th>
          <Table.Th>Returned</Table.Th>
          <Table.Th>Reason</Table.Th>
          <Table.Th>Action</Table.Th>
          <Table.Th ta="right">Fee</Table.Th>
          <Table.Th>Update</Table.Th>
        </>
      }
    >
      {payments.map((b) => (
        <Table.Tr key={b.payment.id}>
          <Table.Td>
            <Anchor component={Link} to={`/deals/${b.payment.dealId}?tab=payments`} className={classes.nowrap}>
              {b.payment.deal?.dealNumber ?? `Deal ${b.payment.dealId}`}
            </Anchor>
          </Table.Td>
          <Table.Td>{b.payment.deal?.merchant?.legalName ?? none}</Table.Td>
          <Table.Td ta="right">{money(b.payment.amount)}</Table.Td>
          <Table.Td>
            <Instant at={b.payment.returnedAt} relative />
          </Table.Td>
          <Table.Td>{[b.code, b.title].filter(Boolean).join(" ") || none}</Table.Td>
          <Table.Td>{b.action ? (actions[b.action] ?? humanize(b.action)) : none}</Table.Td>
          <Table.Td ta="right">{money(b.fee)}</Table.Td>
          <Table.Td>
            <PaymentMenu payment={{ ...b.payment, bounceCode: { retryable: b.retryable } }} />
          </Table.Td>
        </Table.Tr>
      ))}
    </SmallTable>
  );
}
