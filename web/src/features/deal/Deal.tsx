import { Anchor, Stack, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Figures } from "../../components/Figures";
import { count, money, none, percent, rate, weekday } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { StateBadge } from "../../components/StateBadge";
import { TabBar } from "../../components/TabBar";
import { chosen, useTableSearch } from "../../components/table";
import { graphQuery } from "../../gql/client";
import { DealDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { Pending } from "../../shell/Pending";
import { StageMenu } from "../deals/StageMenu";
import { unfunded } from "../deals/states";
import type { DealData } from "./dealData";
import { EditDeal } from "./EditDeal";
import { Holds } from "./Holds";
import { Overview } from "./Overview";
import { WriteOff } from "./WriteOff";

const DealPayments = lazy(() => import("./DealPayments"));
const Submissions = lazy(() => import("./Submissions"));
const Underwriting = lazy(() => import("./Underwriting"));
const Participations = lazy(() => import("./Participations"));
const Line = lazy(() => import("./Line"));
const Filings = lazy(() => import("./Filings"));
const Signatures = lazy(() => import("./Signatures"));
const Disclosures = lazy(() => import("./Disclosures"));
const Stipulations = lazy(() => import("./Stipulations"));
const Documents = lazy(() => import("./Documents"));
const Ledger = lazy(() => import("./Ledger"));
const History = lazy(() => import("./History"));
const Communications = lazy(() => import("./Communications"));

const tabs = [
  { value: "overview", label: "Overview", needs: "deals:read" },
  { value: "payments", label: "Payments", needs: "payments:read" },
  { value: "ledger", label: "Ledger", needs: "ledger.read" },
  { value: "line", label: "Line of credit", needs: "credit-facilities:read" },
  { value: "participations", label: "Participations", needs: "syndicators:read" },
  { value: "submissions", label: "Offers", needs: "submissions:read" },
  { value: "stipulations", label: "Stipulations", needs: "deals:read" },
  { value: "documents", label: "Documents", needs: "deals:read" },
  { value: "underwriting", label: "Underwriting", needs: "compliance:read" },
  { value: "disclosures", label: "Disclosures", needs: "compliance:read" },
  { value: "filings", label: "UCC filings", needs: "compliance:read" },
  { value: "signatures", label: "Signatures", needs: "deals:read" },
  { value: "communications", label: "Notes & calls", needs: "deals:read" },
  { value: "history", label: "History", needs: "audit.read" },
] as const;

/** The page of a deal. The tab is a search parameter. */
export function Deal() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(DealDocument, { id }));
  return (
    <Loaded noun="deal" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => <Page deal={deal} />}
    </Loaded>
  );
}

function Page({ deal }: { deal: DealData }) {
  const { value, set } = useTableSearch();
  const can = useCan();
  // Only LOC deals have a line of credit.
  const visibleTabs = tabs.filter((tab) => can(tab.needs) && (tab.value !== "line" || deal.productType === "LOC"));
  const tab =
    chosen(
      value("tab"),
      visibleTabs.map((t) => t.value),
    ) ?? "overview";
  return (
    <Stack>
      <PageHeader
        title={deal.dealNumber}
        parent={{ to: "/deals", title: "Deals" }}
        titleExtra={
          <>
            <StateBadge state={deal.state} />
            {deal.merchant && (
              <Anchor component={Link} to={`/merchants/${deal.merchant.id}`}>
                {deal.merchant.legalName}
              </Anchor>
            )}
          </>
        }
        actions={
          can("deals:write") && (
            <>
              <StageMenu deal={deal} />
              <WriteOff deal={deal} />
              <EditDeal deal={deal} />
            </>
          )
        }
      />
      <Holds deal={deal} />
      <Header deal={deal} />
      <Tabs
        value={tab}
        onChange={(next) => set({ tab: next === "overview" ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <TabBar tabs={visibleTabs} active={tab} />
        {visibleTabs.map((t) => (
          <Tabs.Panel key={t.value} value={t.value} pt="md">
            <Suspense fallback={<Pending />}>{panel(t.value, deal)}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

function panel(tab: (typeof tabs)[number]["value"], deal: DealData) {
  switch (tab) {
    case "payments":
      return <DealPayments deal={deal} />;
    case "ledger":
      return <Ledger id={deal.id} />;
    case "stipulations":
      return <Stipulations id={deal.id} />;
    case "documents":
      return <Documents id={deal.id} />;
    case "history":
      return <History id={deal.id} />;
    case "submissions":
      return <Submissions deal={deal} />;
    case "underwriting":
      return <Underwriting id={deal.id} />;
    case "disclosures":
      return <Disclosures deal={deal} />;
    case "participations":
      return <Participations id={deal.id} />;
    case "line":
      return <Line id={deal.id} />;
    case "filings":
      return <Filings id={deal.id} />;
    case "signatures":
      return <Signatures id={deal.id} />;
    case "communications":
      return <Communications deal={deal} />;
    default:
      return <Overview deal={deal} />;
  }
}

/** The terms of a deal and, once it is funded, its balance. */
function Header({ deal }: { deal: DealData }) {
  const collection = deal.collection;
  const next = collection?.nextPayment;
  return (
    <Figures
      label="Figures"
      items={
        unfunded.includes(deal.state)
          ? [
              ["Funded amount", money(deal.fundedAmount)],
              ["Payback", money(deal.paybackAmount)],
              ["Factor rate", rate(deal.factorRate)],
              ["Payment amount", money(deal.paymentAmount)],
              ["Payments", count(deal.numberOfPayments)],
              ["Term", deal.termDays === null ? none : `${deal.termDays} days`],
            ]
          : [
              ["Funded", money(deal.fundedAmount)],
              ["Payback", money(deal.paybackAmount)],
              ["Collected", money(collection?.collected)],
              ["Balance", money(collection?.outstanding)],
              ["Paid down", percent(collection?.paidDownPct)],
              [next?.scheduledDate ? `Next, ${weekday(next.scheduledDate)}` : "Next debit", money(next?.amount)],
            ]
      }
    />
  );
}
