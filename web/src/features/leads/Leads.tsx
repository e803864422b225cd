import { Button, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { DataTable } from "../../components/DataTable";
import { money } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { RecordForm } from "../../components/RecordForm";
import { StateBadge } from "../../components/StateBadge";
import { type Column, chosen } from "../../components/table";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import {
  CreateLeadDocument,
  type LeadSortField,
  LeadsDocument,
  type LeadsQuery,
  type NewLead,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { leadStatuses, statusOptions, useLeadFields } from "./fields";

type Row = NonNullable<LeadsQuery["leads"]>["nodes"][number];

const columns: Column<Row, LeadSortField>[] = [
  { title: "Business", sort: "BUSINESS_NAME", cell: (r) => r.businessName, csv: (r) => r.businessName },
  { title: "Status", sort: "STATUS", cell: (r) => <StateBadge state={r.status} />, csv: (r) => r.status },
  { title: "Contact", cell: (r) => r.contactName ?? "—", csv: (r) => r.contactName },
  { title: "Phone", cell: (r) => r.phone ?? "—", csv: (r) => r.phone },
  { title: "Source", cell: (r) => r.source ?? "—", csv: (r) => r.source },
  {
    title: "Requested amount",
    sort: "REQUESTED_AMOUNT",
    right: true,
    cell: (r) => money(r.requestedAmount),
    csv: (r) => r.requestedAmount,
  },
  {
    title: "Next action",
    sort: "NEXT_ACTION_AT",
    cell: (r) => <Instant at={r.nextActionAt} relative />,
    csv: (r) => r.nextActionAt,
  },
  { title: "Created", sort: "CREATED_AT", cell: (r) => <Instant at={r.createdAt} relative />, csv: (r) => r.createdAt },
];

export function Leads() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Leads" actions={can("leads:write") && <NewLeadButton />} />
      <DataTable
        name="leads"
        document={LeadsDocument}
        connection={(data) => data.leads}
        variables={(value) => ({ filter: { q: value("q"), status: chosen(value("status"), leadStatuses) } })}
        columns={columns}
        defaultSort="-CREATED_AT"
        rowKey={(r) => r.id}
        to={(r) => `/leads/${r.id}`}
        filters={[{ name: "status", label: "Status", options: statusOptions }]}
        search="Search leads"
        empty="No leads yet. Add one, or send leads through the API."
      />
    </Stack>
  );
}

function NewLeadButton() {
  const [opened, dialog] = useDisclosure();
  const [create] = useGraphMutation(CreateLeadDocument);
  const fields = useLeadFields();
  const navigate = useSafeNavigate();
  return (
    <>
      <Button onClick={dialog.open}>New lead</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New lead"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RecordForm
          fields={fields}
          submitLabel="Create lead"
          cancel={dialog.close}
          save={async (changes) => {
            const { data, problem } = await create({ input: changes as NewLead });
            if (data?.createLead) {
              showSuccess(`${data.createLead.businessName} created.`);
              await navigate({ to: "/leads/$id", params: { id: data.createLead.id } });
            }
            return problem;
          }}
        />
      </Modal>
    </>
  );
}
