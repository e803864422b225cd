import { Anchor, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Export } from "../../components/Export";
import { money, none, words } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { graphQuery } from "../../gql/client";
import { BounceQueueDocument, type BounceQueueQuery, type PaymentReturnAction } from "../../gql/documents";
import classes from "./list.module.css";
import { PaymentMenu } from "./PaymentMenu";

type Bounce = NonNullable<BounceQueueQuery["bounceQueue"]>[number];

/** As many as the server lists at most. */
const limit = 200;

/** What is to be done, in the words of whoever does it. */
const actions: Record<PaymentReturnAction, string> = {
  RETRY: "Collect it once more",
  PAUSE: "Pause collection",
  NEW_ACCOUNT: "Ask for another account",
  COLLECTIONS: "Hand to collections",
  LEGAL: "Hand to legal",
  REVIEW: "Look into it",
};

const titles = ["Deal", "Merchant", "Amount", "Returned", "Code", "Reason", "To do", "Fee"];

const rowsOf = (bounces: Bounce[]) =>
  bounces.map((b) => [
    b.payment.deal?.dealNumber,
    b.payment.deal?.merchant?.legalName,
    b.payment.amount,
    b.payment.returnedAt,
    b.code,
    b.title,
    b.action,
    b.fee,
  ]);

/** Bounces lists what came back and is not made up for, the latest first, with what to do about each. */
export function Bounces() {
  const result = useQuery(graphQuery(BounceQueueDocument, { limit }));
  return (
    <Loaded what="bounced payments" record={result.data?.bounceQueue} error={result.error} retry={result.refetch}>
      {(bounces) =>
        bounces.length === 0 ? (
          <Text c="dimmed">Nothing has bounced that is not made up for.</Text>
        ) : (
          <>
            <Group justify="flex-end" mb="xs">
              <Text size="sm" c="dimmed">
                {bounces.length < limit ? `${bounces.length} in all` : `The latest ${limit}`}
              </Text>
              <Export name="bounced payments" titles={titles} page={() => ({ rows: rowsOf(bounces), next: null })} />
            </Group>
            <Queue of={bounces} />
          </>
        )
      }
    </Loaded>
  );
}

function Queue({ of }: { of: Bounce[] }) {
  return (
    <Table.ScrollContainer
      minWidth={760}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Table of bounced payments" } }}
    >
      <Table highlightOnHover aria-label="Bounced payments">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Deal</Table.Th>
            <Table.Th>Merchant</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
            <Table.Th>Returned</Table.Th>
            <Table.Th>Why</Table.Th>
            <Table.Th>What to do</Table.Th>
            <Table.Th ta="right">Fee</Table.Th>
            <Table.Th>Change</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map((b) => (
            <Table.Tr key={b.payment.id}>
              <Table.Td>
                <Anchor component={Link} to={`/deals/${b.payment.dealId}?tab=payments`} className={classes.whole}>
                  {b.payment.deal?.dealNumber ?? `Deal ${b.payment.dealId}`}
                </Anchor>
              </Table.Td>
              <Table.Td>{b.payment.deal?.merchant?.legalName ?? none}</Table.Td>
              <Table.Td ta="right">{money(b.payment.amount)}</Table.Td>
              <Table.Td>
                <Instant at={b.payment.returnedAt} relative />
              </Table.Td>
              <Table.Td>{[b.code, b.title].filter(Boolean).join(" ") || none}</Table.Td>
              <Table.Td>{b.action ? (actions[b.action] ?? words(b.action)) : none}</Table.Td>
              <Table.Td ta="right">{money(b.fee)}</Table.Td>
              <Table.Td>
                <PaymentMenu of={{ ...b.payment, bounceCode: { retryable: b.retryable } }} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
