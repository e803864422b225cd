import { Stack } from "@mantine/core";
import { DataTable } from "../../components/DataTable";
import { humanize, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { StateBadge } from "../../components/StateBadge";
import { type Column, chosen } from "../../components/table";
import {
  type ApplicationSubmissionSortField,
  type ApplicationSubmissionStatus,
  ApplicationsDocument,
  type ApplicationsQuery,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { AddApplication } from "./AddApplication";
import { type Answers, applicationTitle, type Question } from "./answers";

type Row = NonNullable<ApplicationsQuery["applications"]>["nodes"][number];

const statuses = [
  "RECEIVED",
  "REVIEWED",
  "CONVERTED",
  "SPAM",
] as const satisfies readonly ApplicationSubmissionStatus[];

const title = (r: Row) => applicationTitle((r.form?.fields ?? []) as Question[], r.payload as Answers);

const columns: Column<Row, ApplicationSubmissionSortField>[] = [
  { title: "Applicant", cell: title, csv: title },
  { title: "Status", sort: "STATUS", cell: (r) => <StateBadge state={r.status} />, csv: (r) => r.status },
  { title: "Form", cell: (r) => r.form?.name ?? none, csv: (r) => r.form?.name },
  { title: "Converted to", cell: (r) => r.lead?.businessName ?? none, csv: (r) => r.lead?.businessName },
  {
    title: "Received",
    sort: "CREATED_AT",
    cell: (r) => <Instant at={r.createdAt} relative />,
    csv: (r) => r.createdAt,
  },
];

export function Applications() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Applications" actions={can("applications:write") && <AddApplication />} />
      <DataTable
        name="applications"
        document={ApplicationsDocument}
        connection={(data) => data.applications}
        variables={(value) => ({ filter: { status: chosen(value("status"), statuses) } })}
        columns={columns}
        defaultSort="-CREATED_AT"
        rowKey={(r) => r.id}
        to={(r) => `/applications/${r.id}`}
        filters={[
          { name: "status", label: "Status", options: statuses.map((value) => ({ value, label: humanize(value) })) },
        ]}
        empty="No applications yet. They arrive through your application forms."
      />
    </Stack>
  );
}
