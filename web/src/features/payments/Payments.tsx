import { Stack, Tabs } from "@mantine/core";
import { DataTable } from "../../components/DataTable";
import { PageHeader } from "../../components/PageHeader";
import { TabBar } from "../../components/TabBar";
import { chosen, useTableSearch } from "../../components/table";
import { PaymentsDocument } from "../../gql/documents";
import { Calendar } from "./Calendar";
import * as paymentColumns from "./columns";
import { ReturnedPayments } from "./ReturnedPayments";

const tabs = [
  { value: "calendar", label: "Calendar" },
  { value: "bounced", label: "Returned payments" },
  { value: "all", label: "All payments" },
] as const;

const columns = [
  paymentColumns.dealColumn,
  paymentColumns.merchantColumn,
  paymentColumns.scheduled,
  paymentColumns.type,
  paymentColumns.status,
  paymentColumns.amount,
  paymentColumns.method,
  paymentColumns.cleared,
  paymentColumns.actions,
];

/** The payments of all deals: by day, as returned, and as a list. */
export function Payments() {
  const { value, set } = useTableSearch();
  const tab =
    chosen(
      value("tab"),
      tabs.map((t) => t.value),
    ) ?? "calendar";
  return (
    <Stack>
      <PageHeader title="Payments" />
      <Tabs value={tab} onChange={(next) => set({ tab: next ?? undefined })} keepMounted={false}>
        <TabBar tabs={tabs} active={tab} />
        <Tabs.Panel value="calendar" pt="md">
          <Calendar />
        </Tabs.Panel>
        <Tabs.Panel value="bounced" pt="md">
          <ReturnedPayments />
        </Tabs.Panel>
        <Tabs.Panel value="all" pt="md">
          <DataTable
            name="payments"
            prefix="all-"
            document={PaymentsDocument}
            connection={(data) => data.payments}
            variables={(value) => ({
              filter: {
                status: chosen(value("status"), paymentColumns.paymentStatuses),
                type: chosen(value("type"), paymentColumns.paymentTypes),
              },
            })}
            columns={columns}
            defaultSort="-SCHEDULED_DATE"
            rowKey={(r) => r.id}
            to={(r) => `/deals/${r.dealId}?tab=payments`}
            filters={paymentColumns.filters}
            empty="No payments yet. They are scheduled when a deal is funded."
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
