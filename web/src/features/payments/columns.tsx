import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { day, humanize, money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { StateBadge } from "../../components/StateBadge";
import type { Column } from "../../components/table";
import type { PaymentSortField, PaymentStatus, PaymentsQuery, PaymentType } from "../../gql/documents";
import { PaymentMenu } from "./PaymentMenu";
import classes from "./payments.module.css";

export type Row = NonNullable<PaymentsQuery["payments"]>["nodes"][number];
type PaymentColumn = Column<Row, PaymentSortField>;

export const paymentStatuses = [
  "PENDING",
  "SUBMITTED",
  "PAID",
  "BOUNCED",
  "CANCELLED",
] as const satisfies readonly PaymentStatus[];

export const paymentTypes = [
  "ORIGINAL_ADVANCE_PAYBACK",
  "ADVANCE_PAYBACK",
  "ADVANCE_PAYBACK_ADJUSTMENT",
  "PARTICIPATION_PAYOUT",
  "PARTICIPATION_PAYOUT_ADJUSTMENT",
  "BOUNCE_FEE",
  "WIRE_FEE",
  "UCC_FEE",
  "APPLICATION_FEE",
  "OTHER_FEE",
  "EPO_DISCOUNT",
  "RENEWAL_PAYOFF",
] as const satisfies readonly PaymentType[];

/** The common names of some types. */
const typeNames: Partial<Record<PaymentType, string>> = {
  ORIGINAL_ADVANCE_PAYBACK: "Scheduled payment",
  ADVANCE_PAYBACK: "Payback",
  ADVANCE_PAYBACK_ADJUSTMENT: "Adjustment",
  UCC_FEE: "UCC fee",
  EPO_DISCOUNT: "Early payoff discount",
};

const typeName = (value: PaymentType) => typeNames[value] ?? humanize(value);

export const filters = [
  { name: "status", label: "Status", options: paymentStatuses.map((value) => ({ value, label: humanize(value) })) },
  { name: "type", label: "Type", options: paymentTypes.map((value) => ({ value, label: typeName(value) })) },
];

/** Outgoing payments are shown with a minus. Adjustments have their own sign. */
const signedAmount = (r: Row) => (r.direction === "OUT" ? `−${money(r.amount)}` : money(r.amount));

export const dealColumn: PaymentColumn = {
  title: "Deal",
  nowrap: true,
  cell: (r) => r.deal?.dealNumber ?? `Deal ${r.dealId}`,
  csv: (r) => r.deal?.dealNumber,
};

export const merchantColumn: PaymentColumn = {
  title: "Merchant",
  cell: (r) =>
    r.deal?.merchant ? (
      <Anchor component={Link} to={`/merchants/${r.deal.merchant.id}`}>
        {r.deal.merchant.legalName}
      </Anchor>
    ) : (
      none
    ),
  csv: (r) => r.deal?.merchant?.legalName,
};

export const scheduled: PaymentColumn = {
  title: "Scheduled",
  sort: "SCHEDULED_DATE",
  cell: (r) => <span className={classes.nowrap}>{day(r.scheduledDate)}</span>,
  csv: (r) => r.scheduledDate,
};
export const status: PaymentColumn = {
  title: "Status",
  sort: "STATUS",
  cell: (r) => <StateBadge state={r.status} />,
  csv: (r) => r.status,
};
export const type: PaymentColumn = { title: "Type", cell: (r) => typeName(r.type), csv: (r) => r.type };
export const method: PaymentColumn = { title: "Method", cell: (r) => r.method ?? none, csv: (r) => r.method };
export const amount: PaymentColumn = {
  title: "Amount",
  sort: "AMOUNT",
  right: true,
  cell: signedAmount,
  csv: (r) => (r.direction === "OUT" ? `-${r.amount}` : r.amount),
};
export const cleared: PaymentColumn = {
  title: "Cleared",
  sort: "CLEARED_DATE",
  cell: (r) => <span className={classes.nowrap}>{day(r.clearedDate)}</span>,
  csv: (r) => r.clearedDate,
};
export const note: PaymentColumn = { title: "Note", cell: (r) => r.note ?? none, csv: (r) => r.note };
export const returned: PaymentColumn = {
  title: "Returned",
  cell: (r) =>
    r.returnedAt ? (
      <>
        <Instant at={r.returnedAt} /> {r.bounceCode?.code}
        {r.madeUpBy && `, made up on ${day(r.madeUpBy.scheduledDate)}`}
      </>
    ) : (
      none
    ),
  csv: (r) => [r.returnedAt, r.bounceCode?.code].filter(Boolean).join(" "),
};
export const actions: PaymentColumn = { title: "Update", cell: (r) => <PaymentMenu payment={r} /> };
