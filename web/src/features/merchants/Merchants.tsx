import { Button, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { DataTable } from "../../components/DataTable";
import { money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { RecordForm } from "../../components/RecordForm";
import type { Column } from "../../components/table";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import {
  CreateMerchantDocument,
  type MerchantSortField,
  MerchantsDocument,
  type MerchantsQuery,
  type NewMerchant,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { useMerchantFields } from "./fields";

type Row = NonNullable<MerchantsQuery["merchants"]>["nodes"][number];

const location = (r: Row) => [r.city, r.state].filter(Boolean).join(", ");

const columns: Column<Row, MerchantSortField>[] = [
  { title: "Legal name", sort: "LEGAL_NAME", cell: (r) => r.legalName, csv: (r) => r.legalName },
  { title: "DBA", sort: "DBA_NAME", cell: (r) => r.dbaName ?? none, csv: (r) => r.dbaName },
  { title: "Industry", cell: (r) => r.industry ?? none, csv: (r) => r.industry },
  { title: "Location", cell: (r) => location(r) || none, csv: location },
  { title: "Phone", cell: (r) => r.phone ?? none, csv: (r) => r.phone },
  { title: "Annual revenue", right: true, cell: (r) => money(r.annualRevenue), csv: (r) => r.annualRevenue },
  { title: "Added", sort: "CREATED_AT", cell: (r) => <Instant at={r.createdAt} relative />, csv: (r) => r.createdAt },
];

export function Merchants() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Merchants" actions={can("merchants:write") && <NewMerchantButton />} />
      <DataTable
        name="merchants"
        document={MerchantsDocument}
        connection={(data) => data.merchants}
        variables={(value) => ({ filter: { q: value("q") } })}
        columns={columns}
        defaultSort="LEGAL_NAME"
        rowKey={(r) => r.id}
        to={(r) => `/merchants/${r.id}`}
        search="Search merchants"
        empty="No merchants yet. Add one, or convert a lead."
      />
    </Stack>
  );
}

function NewMerchantButton() {
  const [opened, dialog] = useDisclosure();
  const [create] = useGraphMutation(CreateMerchantDocument);
  const fields = useMerchantFields();
  const navigate = useSafeNavigate();
  return (
    <>
      <Button onClick={dialog.open}>New merchant</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New merchant"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RecordForm
          fields={fields}
          submitLabel="Create merchant"
          cancel={dialog.close}
          save={async (changes) => {
            const { data, problem } = await create({ input: changes as NewMerchant });
            if (data?.createMerchant) {
              showSuccess(`${data.createMerchant.legalName} created.`);
              await navigate({ to: "/merchants/$id", params: { id: data.createMerchant.id } });
            }
            return problem;
          }}
        />
      </Modal>
    </>
  );
}
