import { useQuery } from "@tanstack/react-query";
import { words } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CreateSubmissionStatusDocument,
  type DealSubmissionCategory,
  type NewSubmissionStatus,
  ReorderSubmissionStatusesDocument,
  SubmissionStatusesDocument,
  UpdateSubmissionStatusDocument,
} from "../../gql/documents";
import { codeField, InUse, inUseField, nameField } from "./common";
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
).map((value) => ({ value, label: words(value) }));

/** PipelineSteps are where a submission to a funder can stand. */
export function PipelineSteps() {
  const result = useQuery(graphQuery(SubmissionStatusesDocument, {}));
  const [create] = useAct(CreateSubmissionStatusDocument);
  const [update] = useAct(UpdateSubmissionStatusDocument);
  const [reorder] = useAct(ReorderSubmissionStatusesDocument);
  return (
    <Loaded what="pipeline" record={result.data?.submissionStatuses} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          what="pipeline step"
          about="Where a submission to a funder can stand, in the order of the pipeline. What a step means decides what follows of it."
          rows={rows}
          nameOf={(r) => r.name}
          columns={[
            { title: "Step", cell: (r) => r.name },
            { title: "Code", cell: (r) => r.code },
            { title: "Means", cell: (r) => words(r.category) },
            { title: "State", cell: (r) => <InUse on={r.isActive} /> },
          ]}
          fields={[nameField, inUseField]}
          update={(id, input) => update({ id, input })}
          creation={{
            fields: [
              nameField,
              codeField,
              { name: "category", label: "Means", kind: "choice", options: categories, required: true },
            ],
            create: (input) => create({ input: input as NewSubmissionStatus }),
          }}
          reorder={(ids) => reorder({ ids })}
        />
      )}
    </Loaded>
  );
}
