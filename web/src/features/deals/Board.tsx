import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQuery } from "urql";
import { ErrorPanel } from "../../components/ErrorPanel";
import { ago, count, money, none, roundMoney, sum, words } from "../../components/format";
import { problemOf } from "../../gql/client";
import { DealColumnDocument, type DealColumnQuery, type DealState } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import classes from "./Board.module.css";
import { MoveMenu } from "./MoveMenu";
import { openStates } from "./states";

type Cards = NonNullable<DealColumnQuery["deals"]>;

/** How many cards a column has at most; the list has the rest. */
const most = 50;

/** Board shows the deals that are open as columns, one a state. */
export function Board() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={classes.board} aria-label="Board" tabIndex={0}>
      {openStates.map((state) => (
        <BoardColumn key={state} state={state} />
      ))}
    </section>
  );
}

function BoardColumn({ state }: { state: DealState }) {
  const [result, again] = useQuery({ query: DealColumnDocument, variables: { state, first: most } });
  const deals = result.data?.deals;
  return (
    <section className={classes.column} aria-label={words(state)}>
      <Stack gap="xs">
        <Title order={2}>{words(state)}</Title>
        {deals && <Summary state={state} deals={deals} />}
        {result.error && !deals && <ErrorPanel problem={problemOf(result.error)} retry={again} />}
        {!deals && !result.error && <Skeleton h={90} role="status" aria-label="Loading" />}
        {deals?.nodes.map((deal) => (
          <DealCard key={deal.id} deal={deal} />
        ))}
      </Stack>
    </section>
  );
}

function Summary({ state, deals }: { state: DealState; deals: Cards }) {
  const shown = deals.nodes.length;
  return (
    <Text size="sm" c="dimmed">
      {count(deals.totalCount)} {deals.totalCount === 1 ? "deal" : "deals"},{" "}
      {shown < deals.totalCount ? (
        <>
          the newest {shown} make {roundMoney(sum(deals.nodes.map((d) => d.fundedAmount)))}.{" "}
          <Anchor component={Link} to="/deals" search={{ state } as never} size="sm">
            All of them
          </Anchor>
        </>
      ) : (
        roundMoney(sum(deals.nodes.map((d) => d.fundedAmount)))
      )}
    </Text>
  );
}

function DealCard({ deal }: { deal: Cards["nodes"][number] }) {
  const can = useCan();
  return (
    <Card withBorder padding="sm" component="article" aria-label={deal.dealNumber}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={0} className={classes.text}>
          <Anchor component={Link} to={`/deals/${deal.id}`} fw={600}>
            {deal.dealNumber}
          </Anchor>
          <Text size="sm" lineClamp={2}>
            {deal.merchant?.legalName ?? none}
          </Text>
          <Text size="sm">{money(deal.fundedAmount)}</Text>
          <Text size="xs" c="dimmed">
            {deal.fundedAt ? `Funded ${ago(deal.fundedAt, Date.now())}` : `Entered ${ago(deal.createdAt, Date.now())}`}
          </Text>
        </Stack>
        {can("deals:write") && <MoveMenu deal={deal} size="xs" />}
      </Group>
    </Card>
  );
}
