import { useQuery } from "@tanstack/react-query";
import { humanize } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { graphQuery } from "../../gql/client";
import {
  CreateSubmissionStatusDocument,
  type DealSubmissionCategory,
  type NewSubmissionStatus,
  ReorderSubmissionStatusesDocument,
  SubmissionStatusesDocument,
  UpdateSubmissionStatusDocument,
} from "../../gql/documents";
import { useGraphMutation } from "../../gql/mutation";
import { ActiveBadge, activeField, codeField, nameField } from "./common";
import { Lookup } from "./Lookup";

const categories = (
  [
    "OPEN",
    "OFFERED",
    "ACCEPTED",
    "FUNDED",
    "DECLINED",
    "REJECTED_BY_MERCHANT",
    "WITHDRAWN",
  ] as const satisfies readonly DealSubmissionCategory[]
).map((value) => ({ value, label: humanize(value) }));

/** The stages of a submission to a funder. */
export function PipelineStages() {
  const result = useQuery(graphQuery(SubmissionStatusesDocument, {}));
  const [create] = useGraphMutation(CreateSubmissionStatusDocument);
  const [update] = useGraphMutation(UpdateSubmissionStatusDocument);
  const [reorder] = useGraphMutation(ReorderSubmissionStatusesDocument);
  return (
    <Loaded noun="pipeline" record={result.data?.submissionStatuses} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          noun="pipeline stage"
          description="Stages of a submission to a funder, in order. The category of a stage decides what happens next."
          rows={rows}
          nameOf={(r) => r.name}
          columns={[
            { title: "Stage", cell: (r) => r.name },
            { title: "Code", cell: (r) => r.code },
            { title: "Category", cell: (r) => humanize(r.category) },
            { title: "Status", cell: (r) => <ActiveBadge on={r.isActive} /> },
          ]}
          fields={[nameField, activeField]}
          update={(id, input) => update({ id, input })}
          creation={{
            fields: [
              nameField,
              codeField,
              { name: "category", label: "Category", kind: "choice", options: categories, required: true },
            ],
            create: (input) => create({ input: input as NewSubmissionStatus }),
          }}
          reorder={(ids) => reorder({ ids })}
        />
      )}
    </Loaded>
  );
}
