import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../components/Loaded";
import { useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CreateDispositionReasonDocument,
  type NewDispositionReason,
  UpdateDispositionReasonDocument,
  WaysToEndACallDocument,
} from "../../gql/documents";
import { codeField, InUse, inUseField, nameField } from "./common";
import { Lookup } from "./Lookup";

const positionField = { name: "position", label: "Place in the list", kind: "integer" } as const;

/** CallEnds are how a call can end. */
export function CallEnds() {
  const result = useQuery(graphQuery(WaysToEndACallDocument, {}));
  const [create] = useAct(CreateDispositionReasonDocument);
  const [update] = useAct(UpdateDispositionReasonDocument);
  return (
    <Loaded what="ends of calls" record={result.data?.dispositionReasons} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          what="end of a call"
          about="How a call with a merchant can end; whoever notes one chooses among them."
          rows={rows}
          nameOf={(r) => r.name}
          columns={[
            { title: "End", cell: (r) => r.name },
            { title: "Code", cell: (r) => r.code },
            { title: "Place", right: true, cell: (r) => r.position },
            { title: "State", cell: (r) => <InUse on={r.isActive} /> },
          ]}
          fields={[nameField, positionField, inUseField]}
          update={(id, input) => update({ id, input })}
          creation={{
            fields: [nameField, codeField, positionField],
            create: (input) => create({ input: input as NewDispositionReason }),
          }}
        />
      )}
    </Loaded>
  );
}
