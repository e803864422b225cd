import { DataTable } from "../../components/DataTable";
import { chosen } from "../../components/table";
import { PaymentsDocument } from "../../gql/documents";
import {
  cleared,
  filters,
  method,
  note,
  paymentStatuses,
  paymentTypes,
  returned,
  scheduled,
  size,
  status,
  type,
} from "../payments/list";

const columns = [scheduled, type, status, size, method, cleared, returned, note];

export default function DealPayments({ id }: { id: string }) {
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
      empty="No payments on this deal yet. They are planned when it is funded."
    />
  );
}
