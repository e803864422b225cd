import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ErrorPanel } from "../../components/ErrorPanel";
import { count, money, roundMoney } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";
import { graphQuery } from "../../gql/client";
import { type DashboardQuery, WorkQueueDocument, type WorkQueueQuery, type WorkQueueTask } from "../../gql/documents";
import classes from "./Dashboard.module.css";

type DashboardData = NonNullable<DashboardQuery["dashboard"]>;
type Item = NonNullable<WorkQueueQuery["workQueue"]>[number];

/** A kind of work: the list of its deals, if there is one, and the deal's tab to do it on. */
type Task = { key: keyof DashboardData; name: string; to?: string; task?: WorkQueueTask; tab?: string };

const tasks: Task[] = [
  { key: "bounces", name: "Returned payments", to: "/payments?tab=bounced", task: "BOUNCE", tab: "payments" },
  { key: "disbursements", name: "Advances to send", task: "DISBURSEMENT", tab: "payments" },
  { key: "offersExpiring", name: "Offers expiring in 3 days", task: "OFFER", tab: "submissions" },
  { key: "stipulationsReceived", name: "Stipulations to review", task: "STIPULATION", tab: "stipulations" },
  { key: "drawsToReview", name: "Draws to review", task: "DRAW", tab: "line" },
  { key: "renewals", name: "Renewals to contact", to: "/renewals?status=ELIGIBLE", task: "RENEWAL" },
  { key: "payoutsToApprove", name: "Payouts to approve", to: "/payouts?status=DRAFT" },
  { key: "defaults", name: "In default", to: "/deals?state=DEFAULTED" },
];

/** How many deals a task shows at first, and after Show more. */
const initialLimit = 4;
const maxLimit = 50;

const totalOf = (figures: DashboardData, { key }: Task) => figures[key] as { count: number; amount?: string } | null;

/** Work to do today: each task with its deals. */
export function ToDo({ figures }: { figures: DashboardData }) {
  const [limit, setLimit] = useState(initialLimit);
  const result = useQuery(graphQuery(WorkQueueDocument, { limit }));
  // A role gets no counts of records that it may not read.
  const openTasks = tasks.filter((task) => (totalOf(figures, task)?.count ?? 0) > 0);
  return (
    <Section title="To do">
      {result.error && <ErrorPanel problem={result.error.problem} />}
      {openTasks.length > 0 && (
        <ul className={classes.tasks} aria-label="To do">
          {openTasks.map((task) => (
            <TaskItem
              key={task.key}
              task={task}
              total={totalOf(figures, task)}
              items={(result.data?.workQueue ?? []).filter((item) => item.task === task.task)}
              showMore={limit === initialLimit ? () => setLimit(maxLimit) : undefined}
            />
          ))}
        </ul>
      )}
      {openTasks.length === 0 && (
        <Text size="sm" c="dimmed">
          You're all caught up.
        </Text>
      )}
    </Section>
  );
}

type TaskItemProps = {
  task: Task;
  total: ReturnType<typeof totalOf>;
  items: Item[];
  /** Shows more deals; undefined once they are shown. */
  showMore: (() => void) | undefined;
};

function TaskItem({ task, total, items, showMore }: TaskItemProps) {
  return (
    <li>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text fw={600} size="sm" component="div">
          {task.to ? (
            <Anchor component={Link} to={task.to} inherit>
              {task.name}
            </Anchor>
          ) : (
            task.name
          )}
        </Text>
        <Text size="sm" className={classes.figure}>
          <strong>{count(total?.count)}</strong>
          {total?.amount !== undefined && ` · ${roundMoney(total.amount)}`}
        </Text>
      </Group>
      <Stack gap={2} mt={4}>
        {items.map((item) => (
          <Row key={`${item.dealId} ${item.at}`} item={item} tab={task.tab} />
        ))}
        {showMore && !task.to && items.length >= initialLimit && (total?.count ?? 0) > items.length && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="left"
            onClick={showMore}
            aria-label={`More: ${task.name}`}
          >
            Show more
          </Anchor>
        )}
      </Stack>
    </li>
  );
}

function Row({ item, tab }: { item: Item; tab: string | undefined }) {
  return (
    <div className={classes.row}>
      <Anchor component={Link} to={`/deals/${item.dealId}${tab ? `?tab=${tab}` : ""}`} size="sm">
        {item.deal?.dealNumber ?? `Deal ${item.dealId}`}
      </Anchor>
      <span className={classes.who}>{[item.deal?.merchant?.legalName, item.title].filter(Boolean).join(": ")}</span>
      <span className={classes.figure}>{item.amount && money(item.amount)}</span>
      <span className={classes.when}>
        <Instant at={item.at} relative />
      </span>
    </div>
  );
}
