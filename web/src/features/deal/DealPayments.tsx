import { Group, Stack } from "@mantine/core";
import { DataTable } from "../../components/DataTable";
import { chosen } from "../../components/table";
import { PaymentsDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import {
  actions,
  amount,
  cleared,
  filters,
  method,
  note,
  paymentStatuses,
  paymentTypes,
  returned,
  scheduled,
  status,
  type,
} from "../payments/columns";
import { RecordPayment } from "../payments/RecordPayment";
import { Disbursements } from "./Disbursements";
import { PlaceHold } from "./Holds";

const columns = [scheduled, type, status, amount, method, cleared, returned, note, actions];

/** Lists a deal's payments, and records new ones. */
export default function DealPayments({ deal }: { deal: { id: string; state: string } }) {
  const can = useCan();
  return (
    <Stack>
      <Disbursements dealId={deal.id} />
      {can("payments:write") && (
        <Group justify="flex-end">
          <PlaceHold deal={deal} />
          <RecordPayment dealId={deal.id} />
        </Group>
      )}
      <List id={deal.id} />
    </Stack>
  );
}

function List({ id }: { id: string }) {
  return (
    <DataTable
      name="payments"
      prefix="payments-"
      document={PaymentsDocument}
      connection={(data) => data.payments}
      variables={(value) => ({
        filter: {
          dealId: id,
          status: chosen(value("status"), paymentStatuses),
          type: chosen(value("type"), paymentTypes),
        },
      })}
      columns={columns}
      defaultSort="SCHEDULED_DATE"
      rowKey={(r) => r.id}
      filters={filters}
      empty="No payments yet. They are scheduled when the deal is funded."
    />
  );
}
