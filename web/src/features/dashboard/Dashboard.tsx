import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { useQuery } from "urql";
import { Figures } from "../../components/Figures";
import { count, roundMoney, words } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { DashboardDocument, type DashboardQuery } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { Pending } from "../../shell/Pending";
import { openStates } from "../deals/states";

type Shown = NonNullable<DashboardQuery["dashboard"]>;

const Charts = lazy(() => import("./Charts"));

/** Dashboard says where the pipeline stands and what wants to be done. What a role may not see is left out. */
export function Dashboard() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Dashboard" />
      {can("deals:read") ? <Content /> : <Text>Your role has no figures to show. Choose where to go at the side.</Text>}
    </Stack>
  );
}

function Content() {
  const [result, again] = useQuery({ query: DashboardDocument });
  return (
    <Loaded what="dashboard" record={result.data?.dashboard} error={result.error} retry={again}>
      {(figures) => (
        <>
          <ToDo figures={figures} />
          <Pipeline figures={figures} />
          <Suspense fallback={<Pending />}>
            <Charts figures={figures} />
          </Suspense>
        </>
      )}
    </Loaded>
  );
}

function Pipeline({ figures }: { figures: Shown }) {
  const stages = figures.pipeline.filter((stage) => openStates.some((state) => state === stage.state));
  return (
    <Section title="Pipeline">
      <Figures
        label="Deals by state"
        of={stages.map((stage) => [
          words(stage.state),
          <span key={stage.state}>
            <Anchor component={Link} to={`/deals?state=${stage.state}`} underline="always" inherit>
              {count(stage.deals.count)}
            </Anchor>{" "}
            <Text span size="sm" c="dimmed">
              {roundMoney(stage.deals.amount)}
            </Text>
          </span>,
        ])}
      />
    </Section>
  );
}

/** What wants to be done, where that is looked at, and what a role must have to see it. */
const tasks: { key: keyof Shown; name: string; to?: string }[] = [
  { key: "bounces", name: "Bounced, not made up for", to: "/payments?tab=bounced" },
  { key: "stipulationsReceived", name: "Stipulations to judge" },
  { key: "offersExpiring", name: "Offers ending in three days" },
  { key: "payoutsToApprove", name: "Payouts to approve" },
  { key: "drawsToJudge", name: "Draws to judge" },
  { key: "renewals", name: "Renewals to speak about" },
  { key: "disbursements", name: "Advances to send" },
  { key: "defaults", name: "In default", to: "/deals?state=DEFAULTED" },
];

function ToDo({ figures }: { figures: Shown }) {
  const shown = tasks.flatMap(({ key, name, to }): [string, ReactNode][] => {
    const tally = figures[key] as { count: number; amount?: string } | null;
    if (!tally) {
      return [];
    }
    const number = count(tally.count);
    return [
      [
        name,
        <span key={key}>
          {to && tally.count > 0 ? (
            <Anchor component={Link} to={to} underline="always" inherit>
              {number}
            </Anchor>
          ) : (
            number
          )}{" "}
          {tally.amount !== undefined && tally.count > 0 && (
            <Text span size="sm" c="dimmed">
              {roundMoney(tally.amount)}
            </Text>
          )}
        </span>,
      ],
    ];
  });
  return (
    <Section title="What needs you today">
      <Figures label="What needs you today" of={shown} />
    </Section>
  );
}
