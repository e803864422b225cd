import { addDays, cents, day, money, none } from "../../components/format";
import type {
  PayoutBatchFieldsFragment,
  PayoutBatchKind,
  PayoutBatchStatus,
  PayoutItemStatus,
  PayoutItemsQuery,
} from "../../gql/documents";

/** Whom a batch pays. */
export const kindNames: Record<PayoutBatchKind, string> = {
  COMMISSION: "Broker commissions",
  PARTICIPATION: "Syndicator shares",
};

export const kinds = ["COMMISSION", "PARTICIPATION"] as const satisfies readonly PayoutBatchKind[];
export const kindOptions = kinds.map((value) => ({ value, label: kindNames[value] }));

/** Labels of the batch statuses, by what to do next. */
const statusNames: Record<PayoutBatchStatus, string> = {
  DRAFT: "Needs approval",
  APPROVED: "Ready to pay",
  PARTIAL: "Partially paid",
  PAID: "Paid",
};

export const statuses = ["DRAFT", "APPROVED", "PARTIAL", "PAID"] as const satisfies readonly PayoutBatchStatus[];
export const statusOptions = statuses.map((value) => ({ value, label: statusNames[value] }));
export const statusName = (status: PayoutBatchStatus) => statusNames[status];

export const itemNames: Record<PayoutItemStatus, string> = {
  PENDING: "Pending",
  HELD: "On hold",
  FAILED: "Failed",
  PAID: "Paid",
  CANCELLED: "Cancelled",
  CLAWED_BACK: "Clawed back",
};

export const itemStatuses = [
  "PENDING",
  "HELD",
  "FAILED",
  "PAID",
  "CANCELLED",
  "CLAWED_BACK",
] as const satisfies readonly PayoutItemStatus[];
export const itemOptions = itemStatuses.map((value) => ({ value, label: itemNames[value] }));

export const payoutTitle = (batch: { id: string }) => `Payout ${batch.id}`;

const months = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** Formats a batch's period: January 2026, or Jan 5, 2026 – Jan 9, 2026 if it is not a whole month. */
export function period({ periodFrom: from, periodTo: to }: { periodFrom: string; periodTo: string }): string {
  const month = from.endsWith("-01") && from.slice(0, 7) === to.slice(0, 7) && addDays(to, 1).endsWith("-01");
  return month ? months.format(new Date(`${from}T00:00:00Z`)) : `${day(from)} – ${day(to)}`;
}

/** Count and amount of a batch's items in a status. */
export const itemTotals = (batch: PayoutBatchFieldsFragment, status: PayoutItemStatus) =>
  batch.standing?.find((part) => part.status === status)?.items ?? { count: 0, amount: "0.00" };

/** Who created a batch. Without a creator, it was drafted automatically as deals funded. */
export const creatorName = (batch: PayoutBatchFieldsFragment) => batch.createdBy?.name ?? "Paydown";

/** Reports whether a user is the signed-in one. */
export const isCurrentUser = (user: { id: string } | null, me: { id: number }) =>
  user !== null && user.id === String(me.id);

/** Reports whether an amount comes back instead of going out. */
export const isNegative = (value: string) => cents(value) < 0n;

export type Item = NonNullable<NonNullable<PayoutItemsQuery["payout"]>["lines"]>["nodes"][number];

export const payee = (item: Item) => (item.syndicator ?? item.iso ?? item.referrer)?.name ?? none;

/** The status label of an item. "Carried over": moved to the payee's next batch. */
export const itemStatusLabel = (item: Item) => (item.carriedAt === null ? itemNames[item.status] : "Carried over");

/** Names an item: $200.16 to Elm Capital. */
export const itemName = (item: Item) => `${money(item.amount)} to ${payee(item)}`;
