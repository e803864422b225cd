// A program of an integrator's against the types that openapi-typescript makes from rest/description/openapi.json. It is
// compiled, not run: what it holds is that the types say what the API does.
import createClient from "openapi-fetch";
import type { components, paths } from "./paydown";

type Deal = components["schemas"]["Deal"];
type DealState = components["schemas"]["DealState"];

// Money is a string, never a number; what may be null says so; what is always there is not optional.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const told: [
  Same<components["schemas"]["Payment"]["amount"], string>,
  Same<Deal["fundedAmount"], string | null | undefined>,
  Same<Deal["state"], DealState>,
  Same<Deal["bankFeeBasis"], components["schemas"]["PricingBasis"] | null | undefined>,
  Same<components["schemas"]["UpdateDeal"]["state"], DealState | undefined>,
  Same<components["schemas"]["NewLead"]["businessName"], string>,
  Same<components["schemas"]["LeadPage"]["nextCursor"], string | null | undefined>,
  Same<components["schemas"]["Problem"]["requestId"], string>,
] = [true, true, true, true, true, true, true, true];
void told;

const api = createClient<paths>({ baseUrl: "https://northline.example", headers: { Authorization: "Bearer svc_live_…" } });

/** Takes a deal to FUNDED and returns its payments, page after page. */
export async function fund(merchantId: number): Promise<components["schemas"]["Payment"][]> {
  const made = await api.POST("/api/v1/deals", {
    params: { header: { "Idempotency-Key": crypto.randomUUID() } },
    body: { merchantId, fundedAmount: "50000.00", factorRate: "1.30", bankFeeBasis: null, collectionFrequency: "DAILY" },
  });
  if (made.error) {
    const fields = made.error.details?.map((d) => `${d.path}: ${d.message}`) ?? [];
    throw new Error(`${made.error.code} ${made.error.requestId} ${fields.join("; ")}`);
  }
  const id = made.data.deal.id;
  const steps: DealState[] = ["SUBMITTED", "PREFUNDED", "FUNDED"];
  for (const state of steps) {
    const { error } = await api.PATCH("/api/v1/deals/{id}", { params: { path: { id } }, body: { state } });
    if (error) throw new Error(error.error);
  }
  const all: components["schemas"]["Payment"][] = [];
  let cursor: string | null | undefined;
  do {
    const query = { dealId: id, status: "PENDING" as const, limit: 200, ...(cursor ? { cursor } : {}) };
    const { data, error } = await api.GET("/api/v1/payments", { params: { query } });
    if (error) throw new Error(error.code);
    all.push(...data.payments);
    cursor = data.nextCursor;
  } while (cursor);
  return all;
}

// @ts-expect-error A state that there is not.
void api.PATCH("/api/v1/deals/{id}", { params: { path: { id: 1 } }, body: { state: "LOST" } });
// @ts-expect-error Money as a number, which would be a float somewhere.
void api.POST("/api/v1/payments", { body: { dealId: 1, type: "OTHER_FEE", amount: 35.5 } });
// @ts-expect-error A required field that is missing.
void api.POST("/api/v1/leads", { body: { email: "a@b.example" } });
