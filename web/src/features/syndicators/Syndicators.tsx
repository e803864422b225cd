import { Button, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { DataTable } from "../../components/DataTable";
import { count, money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { RecordForm } from "../../components/RecordForm";
import { StateBadge } from "../../components/StateBadge";
import type { Column } from "../../components/table";
import { useGo } from "../../components/useGo";
import { tell, useAct } from "../../gql/act";
import {
  CreateSyndicatorDocument,
  type NewSyndicator,
  type SyndicatorSortField,
  SyndicatorsDocument,
  type SyndicatorsQuery,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { syndicatorFields } from "./fields";

type Row = NonNullable<SyndicatorsQuery["syndicators"]>["nodes"][number];

const columns: Column<Row, SyndicatorSortField>[] = [
  { title: "Syndicator", sort: "NAME", cell: (r) => r.name, csv: (r) => r.name },
  {
    title: "Status",
    cell: (r) => <StateBadge state={r.isActive ? "ACTIVE" : "INACTIVE"} />,
    csv: (r) => (r.isActive ? "ACTIVE" : "INACTIVE"),
  },
  { title: "Contact", cell: (r) => r.contactName ?? r.email ?? none, csv: (r) => r.contactName ?? r.email },
  { title: "In the wallet", right: true, cell: (r) => money(r.balances?.wallet), csv: (r) => r.balances?.wallet },
  { title: "Owed", right: true, cell: (r) => money(r.balances?.payable), csv: (r) => r.balances?.payable },
  { title: "Deals", right: true, cell: (r) => count(r.figures?.participations), csv: (r) => r.figures?.participations },
  { title: "Invested", right: true, cell: (r) => money(r.figures?.invested), csv: (r) => r.figures?.invested },
  { title: "Collected", right: true, cell: (r) => money(r.figures?.collected), csv: (r) => r.figures?.collected },
  {
    title: "Still to come",
    right: true,
    cell: (r) => money(r.figures?.outstanding),
    csv: (r) => r.figures?.outstanding,
  },
  {
    title: "Since",
    sort: "CREATED_AT",
    cell: (r) => <Instant at={r.createdAt} date />,
    csv: (r) => r.createdAt,
  },
];

/** Syndicators lists who takes parts of deals, with what each has in the wallet and in deals. */
export function Syndicators() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Syndicators" actions={can("syndicators:write") && <NewSyndicatorButton />} />
      <DataTable
        name="syndicators"
        document={SyndicatorsDocument}
        connection={(data) => data.syndicators}
        variables={(value) => ({ filter: { q: value("q") } })}
        columns={columns}
        defaultSort="NAME"
        rowKey={(r) => r.id}
        to={(r) => `/syndicators/${r.id}`}
        search="Search syndicators"
        empty="No syndicators yet. Enter the first one, who can then take part in deals."
      />
    </Stack>
  );
}

function NewSyndicatorButton() {
  const [opened, dialog] = useDisclosure();
  const [create] = useAct(CreateSyndicatorDocument);
  const navigate = useGo();
  return (
    <>
      <Button onClick={dialog.open}>New syndicator</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New syndicator"
        size="xl"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RecordForm
          fields={syndicatorFields}
          initial={{ isActive: true, cafRecognition: "UPFRONT", profitAccrual: "PRO_RATA" }}
          submitLabel="Enter syndicator"
          cancel={dialog.close}
          save={async (changes) => {
            const { data, problem } = await create({ input: changes as NewSyndicator });
            if (data?.createSyndicator) {
              tell(
                `${data.createSyndicator.name} is entered. Book a deposit next: parts of deals are paid for out of the wallet.`,
              );
              await navigate({ to: "/syndicators/$id", params: { id: data.createSyndicator.id } });
            }
            return problem;
          }}
        />
      </Modal>
    </>
  );
}
