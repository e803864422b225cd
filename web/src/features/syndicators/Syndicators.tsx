import { Button, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { DataTable } from "../../components/DataTable";
import { count, money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { RecordForm } from "../../components/RecordForm";
import { StateBadge } from "../../components/StateBadge";
import type { Column } from "../../components/table";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import {
  CreateSyndicatorDocument,
  type NewSyndicator,
  type SyndicatorSortField,
  SyndicatorsDocument,
  type SyndicatorsQuery,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
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
  { title: "Wallet balance", right: true, cell: (r) => money(r.balances?.wallet), csv: (r) => r.balances?.wallet },
  { title: "Payable", right: true, cell: (r) => money(r.balances?.payable), csv: (r) => r.balances?.payable },
  { title: "Deals", right: true, cell: (r) => count(r.figures?.participations), csv: (r) => r.figures?.participations },
  { title: "Invested", right: true, cell: (r) => money(r.figures?.invested), csv: (r) => r.figures?.invested },
  { title: "Collected", right: true, cell: (r) => money(r.figures?.collected), csv: (r) => r.figures?.collected },
  {
    title: "Outstanding",
    right: true,
    cell: (r) => money(r.figures?.outstanding),
    csv: (r) => r.figures?.outstanding,
  },
  {
    title: "Added",
    sort: "CREATED_AT",
    cell: (r) => <Instant at={r.createdAt} date />,
    csv: (r) => r.createdAt,
  },
];

/** Lists syndicators with their wallet balance and the amount in deals. */
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
        empty="No syndicators yet. Add one to syndicate deals."
      />
    </Stack>
  );
}

function NewSyndicatorButton() {
  const [opened, dialog] = useDisclosure();
  const [create] = useGraphMutation(CreateSyndicatorDocument);
  const navigate = useSafeNavigate();
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
          submitLabel="Create syndicator"
          cancel={dialog.close}
          save={async (changes) => {
            const { data, problem } = await create({ input: changes as NewSyndicator });
            if (data?.createSyndicator) {
              showSuccess(
                `${data.createSyndicator.name} created. Record a deposit next: participations are paid from the wallet.`,
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
