// Test data, created through the API.
import type { Api } from "./company";

export type Deal = { id: number; dealNumber: string; merchantId: number; path: string };

const business = "Harbor Street Bakery LLC";

/** Creates a merchant, by default in California, which requires a disclosure. */
export async function aMerchant(api: Api, also: Record<string, unknown> = {}): Promise<number> {
  const { merchant } = await api.post("/merchants", { legalName: business, state: "CA", ...also });
  return merchant.id;
}

/** Creates a deal: 50,000 funded, 65,000 payback, 126 daily payments. */
export async function aDeal(api: Api, also: Record<string, unknown> = {}): Promise<Deal> {
  const merchantId = also.merchantId ?? (await aMerchant(api));
  const { deal } = await api.post("/deals", {
    fundedAmount: "50000.00",
    factorRate: "1.30",
    numberOfPayments: 126,
    collectionFrequency: "DAILY",
    ...also,
    merchantId,
  });
  return { ...deal, path: `/deals/${deal.id}` };
}

export async function move(api: Api, deal: { id: number }, ...states: string[]) {
  for (const state of states) {
    await api.patch(`/deals/${deal.id}`, { state });
  }
}

/** Creates a funded deal with scheduled payments. */
export async function aFundedDeal(api: Api, also: Record<string, unknown> = {}): Promise<Deal> {
  const deal = await aDeal(api, also);
  await move(api, deal, "SUBMITTED", "PREFUNDED", "FUNDED");
  return deal;
}

/** Drafts an offer on a submitted deal. Returns its id. */
export async function anOffer(staff: Api, deal: Deal, terms: Record<string, unknown>): Promise<string> {
  const found = await staff.graph("query($id: ID!) { deal(id: $id) { submissions { nodes { id } } } }", {
    id: deal.id,
  });
  const input = { submissionId: found.deal.submissions.nodes[0].id, ...terms };
  const made = await staff.graph("mutation($input: NewApproval!) { it: createApproval(input: $input) { id } }", {
    input,
  });
  return made.it.id;
}

/** Creates an offer with the deal's terms, accepted by the merchant. */
export async function anAcceptedOffer(staff: Api, deal: Deal) {
  const id = await anOffer(staff, deal, { fundedAmount: "50000.00", factorRate: "1.30" });
  await staff.graph("mutation($id: ID!) { sendOffer(id: $id) { id } }", { id });
  await staff.graph("mutation($id: ID!) { acceptOffer(id: $id) { id } }", { id });
}

/** Requests a stipulation in addition to the default ones. */
export async function aStipulation(staff: Api, deal: Deal, title: string) {
  const input = { dealId: deal.id, title };
  await staff.graph("mutation($input: NewStipulation!) { requestStipulation(input: $input) { id } }", { input });
}

/** Uploads an analysis of the three months of bank statements that end on a day. */
export async function statements(api: Api, deal: Deal, end: string) {
  const [year, month] = end.split("-").map(Number) as [number, number];
  await api.post(`/deals/${deal.id}/statement-analysis`, {
    source: "statement-reader",
    periodStart: day(Date.UTC(year, month - 3, 1)),
    periodEnd: end,
    monthsCovered: 3,
    grossDeposits: "360000.00",
    trueRevenue3m: "345000.00",
    avgMonthlyTrueRevenue: "115000.00",
    estimatedMcaMonthly: "0.00",
    avgDailyBalance: "21000.00",
    positionCount: 0,
    nsfCount: 0,
    negativeDays: 0,
  });
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

/**
 * Creates a prefunded deal in a strict company, with an accepted offer, recent statements and a decision. Funding is
 * still blocked.
 */
export async function aPrefundedDeal(api: Api, staff: Api): Promise<Deal> {
  const deal = await aDeal(api);
  await move(api, deal, "SUBMITTED");
  await anAcceptedOffer(staff, deal);
  await statements(api, deal, day(Date.now()));
  await staff.graph("mutation($id: ID!) { runDecision(dealId: $id) { id } }", { id: deal.id });
  await move(api, deal, "PREFUNDED");
  return deal;
}
