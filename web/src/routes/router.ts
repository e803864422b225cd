import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import { loadSession } from "../session/session";
import { PageNotFound } from "../shell/NotFound";
import { Pending } from "../shell/Pending";
import { RouteError } from "../shell/RouteError";

// The portal's routes. Each screen is a chunk of its own, loaded on demand.

/** Keeps search parameters as text and drops the rest. Screens parse them. */
function textParams(search: Record<string, unknown> & SearchSchemaInput): Record<string, string | undefined> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      params[name] = String(value);
    }
  }
  return params;
}

const root = createRootRoute({ notFoundComponent: PageNotFound });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  // Only a path of this portal, to prevent open redirects.
  validateSearch: (search: Record<string, unknown>): { to?: string } =>
    typeof search.to === "string" && /^\/(?![/\\])/.test(search.to) ? { to: search.to } : {},
  component: lazyRouteComponent(() => import("../features/login/Login"), "Login"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  validateSearch: (search: Record<string, unknown>): { token?: string } =>
    search.token === undefined ? {} : { token: String(search.token) },
  component: lazyRouteComponent(() => import("../features/login/Reset"), "Reset"),
});

const staff = createRoute({
  getParentRoute: () => root,
  id: "staff",
  beforeLoad: async ({ location }) => {
    if (!(await loadSession())) {
      throw redirect({ to: "/login", search: location.href === "/" ? {} : { to: location.href } });
    }
  },
  component: lazyRouteComponent(() => import("../shell/Shell"), "Shell"),
});

const dashboard = createRoute({
  getParentRoute: () => staff,
  path: "/",
  component: lazyRouteComponent(() => import("../features/dashboard/Dashboard"), "Dashboard"),
});

const leads = createRoute({
  getParentRoute: () => staff,
  path: "/leads",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/leads/Leads"), "Leads"),
});

const lead = createRoute({
  getParentRoute: () => staff,
  path: "/leads/$id",
  component: lazyRouteComponent(() => import("../features/leads/Lead"), "Lead"),
});

const applications = createRoute({
  getParentRoute: () => staff,
  path: "/applications",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/applications/Applications"), "Applications"),
});

const application = createRoute({
  getParentRoute: () => staff,
  path: "/applications/$id",
  component: lazyRouteComponent(() => import("../features/applications/Application"), "Application"),
});

const merchants = createRoute({
  getParentRoute: () => staff,
  path: "/merchants",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/merchants/Merchants"), "Merchants"),
});

const merchant = createRoute({
  getParentRoute: () => staff,
  path: "/merchants/$id",
  component: lazyRouteComponent(() => import("../features/merchants/Merchant"), "Merchant"),
});

const deals = createRoute({
  getParentRoute: () => staff,
  path: "/deals",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/deals/Deals"), "Deals"),
});

const deal = createRoute({
  getParentRoute: () => staff,
  path: "/deals/$id",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/deal/Deal"), "Deal"),
});

const payments = createRoute({
  getParentRoute: () => staff,
  path: "/payments",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/payments/Payments"), "Payments"),
});

const payouts = createRoute({
  getParentRoute: () => staff,
  path: "/payouts",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/payouts/Payouts"), "Payouts"),
});

const payout = createRoute({
  getParentRoute: () => staff,
  path: "/payouts/$id",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/payouts/Payout"), "Payout"),
});

const renewals = createRoute({
  getParentRoute: () => staff,
  path: "/renewals",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/renewals/Renewals"), "Renewals"),
});

const syndicators = createRoute({
  getParentRoute: () => staff,
  path: "/syndicators",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/syndicators/Syndicators"), "Syndicators"),
});

const syndicator = createRoute({
  getParentRoute: () => staff,
  path: "/syndicators/$id",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/syndicators/Syndicator"), "Syndicator"),
});

const webhooks = createRoute({
  getParentRoute: () => staff,
  path: "/settings/webhooks",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/webhooks/Webhooks"), "Webhooks"),
});

const endpoint = createRoute({
  getParentRoute: () => staff,
  path: "/settings/webhooks/$id",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/webhooks/Endpoint"), "Endpoint"),
});

const keys = createRoute({
  getParentRoute: () => staff,
  path: "/settings/keys",
  component: lazyRouteComponent(() => import("../features/keys/Keys"), "Keys"),
});

const notifications = createRoute({
  getParentRoute: () => staff,
  path: "/notifications",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/notifications/Notifications"), "Notifications"),
});

const account = createRoute({
  getParentRoute: () => staff,
  path: "/account",
  component: lazyRouteComponent(() => import("../features/account/Account"), "Account"),
});

const company = createRoute({
  getParentRoute: () => staff,
  path: "/settings/company",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/company/Company"), "Company"),
});

const users = createRoute({
  getParentRoute: () => staff,
  path: "/settings/users",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/users/Users"), "Users"),
});

const user = createRoute({
  getParentRoute: () => staff,
  path: "/settings/users/$id",
  component: lazyRouteComponent(() => import("../features/users/Member"), "Member"),
});

const forms = createRoute({
  getParentRoute: () => staff,
  path: "/settings/forms",
  component: lazyRouteComponent(() => import("../features/forms/Forms"), "Forms"),
});

const form = createRoute({
  getParentRoute: () => staff,
  path: "/settings/forms/$id",
  component: lazyRouteComponent(() => import("../features/forms/Form"), "Form"),
});

const lists = createRoute({
  getParentRoute: () => staff,
  path: "/settings/lists",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/lookups/Lookups"), "Lookups"),
});

const audit = createRoute({
  getParentRoute: () => staff,
  path: "/settings/audit",
  validateSearch: textParams,
  component: lazyRouteComponent(() => import("../features/audit/Audit"), "Audit"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    reset,
    staff.addChildren([
      dashboard,
      applications,
      application,
      leads,
      lead,
      merchants,
      merchant,
      deals,
      deal,
      payments,
      payouts,
      payout,
      renewals,
      syndicators,
      syndicator,
      notifications,
      account,
      company,
      users,
      user,
      forms,
      form,
      lists,
      webhooks,
      endpoint,
      keys,
      audit,
    ]),
  ]),
  // Another record remounts the screen: input and open dialogs belong to the previous one.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: "intent",
  defaultErrorComponent: RouteError,
  defaultPendingComponent: Pending,
  defaultNotFoundComponent: PageNotFound,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
