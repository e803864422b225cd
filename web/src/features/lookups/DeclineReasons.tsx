import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../components/Loaded";
import { useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CreateDeclineReasonDocument,
  type NewDeclineReason,
  ReasonsToDeclineDocument,
  ReorderDeclineReasonsDocument,
  UpdateDeclineReasonDocument,
} from "../../gql/documents";
import { codeField, InUse, inUseField, nameField } from "./common";
import { Lookup } from "./Lookup";

/** DeclineReasons are why funders decline. */
export function DeclineReasons() {
  const result = useQuery(graphQuery(ReasonsToDeclineDocument, {}));
  const [create] = useAct(CreateDeclineReasonDocument);
  const [update] = useAct(UpdateDeclineReasonDocument);
  const [reorder] = useAct(ReorderDeclineReasonsDocument);
  return (
    <Loaded what="reasons" record={result.data?.declineReasons} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          what="reason to decline"
          about="Why a funder declines; a submission that is declined names one."
          rows={rows}
          nameOf={(r) => r.name}
          columns={[
            { title: "Reason", cell: (r) => r.name },
            { title: "Code", cell: (r) => r.code },
            { title: "State", cell: (r) => <InUse on={r.isActive} /> },
          ]}
          fields={[nameField, inUseField]}
          update={(id, input) => update({ id, input })}
          creation={{ fields: [nameField, codeField], create: (input) => create({ input: input as NewDeclineReason }) }}
          reorder={(ids) => reorder({ ids })}
        />
      )}
    </Loaded>
  );
}
