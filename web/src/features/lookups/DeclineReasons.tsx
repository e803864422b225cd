import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../components/Loaded";
import { graphQuery } from "../../gql/client";
import {
  CreateDeclineReasonDocument,
  DeclineReasonsDocument,
  type NewDeclineReason,
  ReorderDeclineReasonsDocument,
  UpdateDeclineReasonDocument,
} from "../../gql/documents";
import { useGraphMutation } from "../../gql/mutation";
import { ActiveBadge, activeField, codeField, nameField } from "./common";
import { Lookup } from "./Lookup";

/** Why funders decline. */
export function DeclineReasons() {
  const result = useQuery(graphQuery(DeclineReasonsDocument, {}));
  const [create] = useGraphMutation(CreateDeclineReasonDocument);
  const [update] = useGraphMutation(UpdateDeclineReasonDocument);
  const [reorder] = useGraphMutation(ReorderDeclineReasonsDocument);
  return (
    <Loaded noun="reasons" record={result.data?.declineReasons} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          noun="decline reason"
          description="Reasons to choose from when a funder declines a submission."
          rows={rows}
          nameOf={(r) => r.name}
          columns={[
            { title: "Reason", cell: (r) => r.name },
            { title: "Code", cell: (r) => r.code },
            { title: "Status", cell: (r) => <ActiveBadge on={r.isActive} /> },
          ]}
          fields={[nameField, activeField]}
          update={(id, input) => update({ id, input })}
          creation={{ fields: [nameField, codeField], create: (input) => create({ input: input as NewDeclineReason }) }}
          reorder={(ids) => reorder({ ids })}
        />
      )}
    </Loaded>
  );
}
