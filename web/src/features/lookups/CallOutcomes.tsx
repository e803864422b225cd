import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../components/Loaded";
import { graphQuery } from "../../gql/client";
import {
  CreateDispositionReasonDocument,
  DispositionReasonsDocument,
  type NewDispositionReason,
  UpdateDispositionReasonDocument,
} from "../../gql/documents";
import { useGraphMutation } from "../../gql/mutation";
import { ActiveBadge, activeField, codeField, nameField } from "./common";
import { Lookup } from "./Lookup";

const positionField = { name: "position", label: "Position", kind: "integer" } as const;

export function CallOutcomes() {
  const result = useQuery(graphQuery(DispositionReasonsDocument, {}));
  const [create] = useGraphMutation(CreateDispositionReasonDocument);
  const [update] = useGraphMutation(UpdateDispositionReasonDocument);
  return (
    <Loaded noun="call outcomes" record={result.data?.dispositionReasons} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          noun="call outcome"
          description="Outcomes to choose from when logging a call."
          rows={rows}
          nameOf={(r) => r.name}
          columns={[
            { title: "Outcome", cell: (r) => r.name },
            { title: "Code", cell: (r) => r.code },
            { title: "Position", right: true, cell: (r) => r.position },
            { title: "Status", cell: (r) => <ActiveBadge on={r.isActive} /> },
          ]}
          fields={[nameField, positionField, activeField]}
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
