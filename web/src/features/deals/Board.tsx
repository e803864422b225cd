import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ErrorPanel } from "../../components/ErrorPanel";
import { count, humanize, money, none, roundMoney, timeAgo } from "../../components/format";
import { graphQuery } from "../../gql/client";
import {
  DealBoardColumnDocument,
  type DealBoardColumnQuery,
  DealBoardDocument,
  type DealBoardQuery,
  type DealState,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import classes from "./Board.module.css";
import { StageMenu } from "./StageMenu";
import { openStates } from "./states";

type DealColumn = NonNullable<DealBoardColumnQuery["deals"]>;

/** Card limit per column; the list shows all deals. */
const maxCards = 50;

/** Open deals as a board, with one column per state. */
export function Board() {
  const result = useQuery(graphQuery(DealBoardDocument, {}));
  const stages = new Map(result.data?.dashboard?.pipeline.map((s) => [s.state, s.deals]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach a scroll area
    <section className={classes.board} aria-label="Board" tabIndex={0}>
      {openStates.map((state) => (
        <BoardColumn key={state} state={state} totals={stages.get(state)} />
      ))}
    </section>
  );
}

type Totals = NonNullable<DealBoardQuery["dashboard"]>["pipeline"][number]["deals"];

function BoardColumn({ state, totals }: { state: DealState; totals: Totals | undefined }) {
  const result = useQuery(graphQuery(DealBoardColumnDocument, { state, first: maxCards }));
  const deals = result.data?.deals;
  return (
    <section className={classes.column} aria-label={humanize(state)}>
      <Stack gap="xs">
        <Title order={2}>{humanize(state)}</Title>
        {deals && totals && (
          <ColumnSummary
            state={state}
            totals={totals}
            visible={deals.nodes.length}
            oldest={result.data?.oldest?.nodes[0]}
          />
        )}
        {result.error && !deals && <ErrorPanel problem={result.error.problem} retry={result.refetch} />}
        {!deals && !result.error && <Skeleton h={90} role="status" aria-label="Loading" />}
        {deals?.nodes.map((deal) => (
          <DealCard key={deal.id} deal={deal} />
        ))}
      </Stack>
    </section>
  );
}

/** Sums up a whole column: number, amount, and the age of its oldest deal. */
function ColumnSummary({
  state,
  totals,
  visible,
  oldest,
}: {
  state: DealState;
  totals: Totals;
  visible: number;
  oldest: { createdAt: string } | undefined;
}) {
  return (
    <Text size="sm" c="dimmed">
      {count(totals.count)} {totals.count === 1 ? "deal" : "deals"}, {roundMoney(totals.amount)}
      {oldest && <>. Oldest created {timeAgo(oldest.createdAt, Date.now())}.</>}
      {visible < totals.count && (
        <>
          {" "}
          The newest {visible} are here;{" "}
          <Anchor component={Link} to="/deals" search={{ state } as never} size="sm">
            show all
          </Anchor>
        </>
      )}
    </Text>
  );
}

function DealCard({ deal }: { deal: DealColumn["nodes"][number] }) {
  const can = useCan();
  return (
    <Card withBorder padding="xs" component="article" aria-label={deal.dealNumber}>
      <Group justify="space-between" wrap="nowrap">
        <Anchor component={Link} to={`/deals/${deal.id}`} fw={600} size="sm">
          {deal.dealNumber}
        </Anchor>
        {can("deals:write") && <StageMenu deal={deal} small />}
      </Group>
      <Text size="sm" lineClamp={2} className={classes.text}>
        {deal.merchant?.legalName ?? none}
      </Text>
      <Group justify="space-between" gap={4}>
        <Text size="sm" fw={500} className={classes.amount}>
          {money(deal.fundedAmount)}
        </Text>
        <Text size="xs" c="dimmed">
          {deal.fundedAt
            ? `Funded ${timeAgo(deal.fundedAt, Date.now())}`
            : `Created ${timeAgo(deal.createdAt, Date.now())}`}
        </Text>
      </Group>
    </Card>
  );
}
