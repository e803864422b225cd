import { Anchor, Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { DataTable } from "../../components/DataTable";
import { DealLink } from "../../components/DealLink";
import { money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { StateBadge } from "../../components/StateBadge";
import { type Column, chosen } from "../../components/table";
import { type PayoutBatchFieldsFragment, type PayoutItemSortField, PayoutItemsDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { ItemMenu } from "./ItemMenu";
import { type Item, isNegative, itemName, itemOptions, itemStatuses, itemStatusLabel, payee } from "./labels";

type ItemColumn = Column<Item, PayoutItemSortField>;

/**
 * Reports whether an item can be selected for payment. One that is on hold by staff, or failed, must be released first.
 */
const isPayable = (item: Item) =>
  item.carriedAt === null && (item.status === "PENDING" || (item.status === "HELD" && item.heldReason === null));

const payeeColumn: ItemColumn = {
  title: "Payee",
  cell: (r) =>
    r.syndicator ? (
      <Anchor component={Link} to={`/syndicators/${r.syndicator.id}`} inherit>
        {r.syndicator.name}
      </Anchor>
    ) : (
      payee(r)
    ),
  csv: payee,
};

const dealColumn: ItemColumn = {
  title: "Deal",
  nowrap: true,
  cell: (r) => <DealLink deal={r.deal} />,
  csv: (r) => r.deal?.dealNumber,
};

const merchant: ItemColumn = {
  title: "Merchant",
  cell: (r) => r.deal?.merchant?.legalName ?? none,
  csv: (r) => r.deal?.merchant?.legalName,
};

const amount: ItemColumn = { title: "Amount", right: true, cell: (r) => money(r.amount), csv: (r) => r.amount };

const status: ItemColumn = {
  title: "Status",
  nowrap: true,
  cell: (r) => <StateBadge state={r.status} label={itemStatusLabel(r)} />,
  csv: (r) => r.status,
};

const reason: ItemColumn = { title: "Reason", cell: (r) => reasonOf(r) ?? none, csv: reasonOf };

const clawbackRisk: ItemColumn = {
  title: "Clawback risk ends",
  nowrap: true,
  cell: (r) => <Instant at={r.clawbackRiskAt} date />,
  csv: (r) => r.clawbackRiskAt,
};

/** Why an item is held or failed: as staff entered it, or by rule. */
function reasonOf(item: Item): string | null {
  if (item.carriedAt !== null) {
    return "Carried to the next payout";
  }
  switch (item.status) {
    case "HELD":
      return item.heldReason ?? (item.clawbackRiskAt ? "Subject to clawback on default" : null);
    case "FAILED":
      return item.heldReason;
    case "CANCELLED":
      return "Payment was returned before payout";
    case "CLAWED_BACK":
      return item.clawbackNote;
    default:
      return isNegative(item.amount) ? "Clawback of a paid share" : null;
  }
}

type Props = {
  batch: PayoutBatchFieldsFragment;
  /** The selected items. undefined if nothing can be paid. */
  selected: ReadonlySet<string> | undefined;
  setSelected: (selected: ReadonlySet<string>) => void;
};

/** Lists the items of a batch with their actions. */
export function Items({ batch, selected, setSelected }: Props) {
  const can = useCan();
  const select: ItemColumn = {
    title: "Choose",
    cell: (r) =>
      selected && isPayable(r) ? (
        <Checkbox
          aria-label={`Choose ${itemName(r)}`}
          checked={selected.has(r.id)}
          onChange={(e) => setSelected(toggle(selected, r.id, e.currentTarget.checked))}
        />
      ) : null,
  };
  const actions: ItemColumn = { title: "Update", cell: (r) => <ItemMenu item={r} /> };
  const columns = [
    payeeColumn,
    dealColumn,
    merchant,
    amount,
    status,
    reason,
    ...(batch.kind === "COMMISSION" ? [clawbackRisk] : []),
    ...(selected ? [select] : []),
    ...(can("payouts:write") ? [actions] : []),
  ];
  return (
    <DataTable
      name="items"
      document={PayoutItemsDocument}
      connection={(data) => data.payout?.lines ?? null}
      variables={(value) => ({ id: batch.id, filter: { status: chosen(value("status"), itemStatuses) } })}
      columns={columns}
      defaultSort="ID"
      rowKey={(r) => r.id}
      filters={filters}
      empty="No items left. Items on hold moved to a later payout."
    />
  );
}

const filters = [{ name: "status", label: "Status", options: itemOptions }];
function toggle(selected: ReadonlySet<string>, id: string, on: boolean): ReadonlySet<string> {
  const next = new Set(selected);
  if (on) {
    next.add(id);
  } else {
    next.delete(id);
  }
  return next;
}
