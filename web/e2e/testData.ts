// Test data, created through the API.
import type { Api } from "./company";

export type Deal = { id: number; dealNumber: string; merchantId: number; path: string };

const business = "Harbor Street Bakery LLC";

/** Creates a merchant, by default in California, which requires a disclosure. */
export async function createMerchant(api: Api, overrides: Record<string, unknown> = {}): Promise<number> {
  const { merchant } = await api.post("/merchants", { legalName: business, state: "CA", ...overrides });
  return merchant.id;
}

/** Creates a deal: 50,000 funded, 65,000 payback, 126 daily payments. */
export async function createDeal(api: Api, overrides: Record<string, unknown> = {}): Promise<Deal> {
  const merchantId = overrides.merchantId ?? (await createMerchant(api));
  const { deal } = await api.post("/deals", {
    fundedAmount: "50000.00",
    factorRate: "1.30",
    numberOfPayments: 126,
    collectionFrequency: "DAILY",
    ...overrides,
    merchantId,
  });
  return { ...deal, path: `/deals/${deal.id}` };
}

export async function moveDeal(api: Api, deal: { id: number }, ...states: string[]) {
  for (const state of states) {
    await api.patch(`/deals/${deal.id}`, { state });
  }
}

/** Creates a funded deal with scheduled payments. */
export async function createFundedDeal(api: Api, overrides: Record<string, unknown> = {}): Promise<Deal> {
  const deal = await createDeal(api, overrides);
  await moveDeal(api, deal, "SUBMITTED", "PREFUNDED", "FUNDED");
  return deal;
}

/** Drafts an offer on a submitted deal. Returns its id. */
export async function createOffer(staff: Api, deal: Deal, terms: Record<string, unknown>): Promise<string> {
  const data = await staff.graph("query($id: ID!) { deal(id: $id) { submissions { nodes { id } } } }", {
    id: deal.id,
  });
  const input = { submissionId: data.deal.submissions.nodes[0].id, ...terms };
  const created = await staff.graph("mutation($input: NewApproval!) { it: createApproval(input: $input) { id } }", {
    input,
  });
  return created.it.id;
}

/** Creates an offer with the deal's terms, accepted by the merchant. */
export async function createAcceptedOffer(staff: Api, deal: Deal) {
  const id = await createOffer(staff, deal, { fundedAmount: "50000.00", factorRate: "1.30" });
  await staff.graph("mutation($id: ID!) { sendOffer(id: $id) { id } }", { id });
  await staff.graph("mutation($id: ID!) { acceptOffer(id: $id) { id } }", { id });
}

/** Requests a stipulation in addition to the default ones. */
export async function createStipulation(staff: Api, deal: Deal, title: string) {
  const input = { dealId: deal.id, title };
  await staff.graph("mutation($input: NewStipulation!) { requestStipulation(input: $input) { id } }", { input });
}

/** Uploads an analysis of the three months of bank statements that end on a day. */
export async function uploadStatementAnalysis(api: Api, deal: Deal, end: string) {
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
export async function createPrefundedDeal(api: Api, staff: Api): Promise<Deal> {
  const deal = await createDeal(api);
  await moveDeal(api, deal, "SUBMITTED");
  await createAcceptedOffer(staff, deal);
  await uploadStatementAnalysis(api, deal, day(Date.now()));
  await staff.graph("mutation($id: ID!) { runDecision(dealId: $id) { id } }", { id: deal.id });
  await moveDeal(api, deal, "PREFUNDED");
  return deal;
}
