import { useQuery } from "@tanstack/react-query";
import { money, words } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import { type PaymentReturnAction, ReturnCodeSettingsDocument, UpdateBounceCodeDocument } from "../../gql/documents";
import { InUse, inUseField } from "./common";
import { Lookup } from "./Lookup";

const actions = (
  ["RETRY", "PAUSE", "NEW_ACCOUNT", "COLLECTIONS", "LEGAL", "REVIEW"] as const satisfies readonly PaymentReturnAction[]
).map((value) => ({ value, label: words(value) }));

/** ReturnCodes are NACHA's, with what the company does about each. */
export function ReturnCodes() {
  const result = useQuery(graphQuery(ReturnCodeSettingsDocument, {}));
  const [update] = useAct(UpdateBounceCodeDocument);
  return (
    <Loaded what="return codes" record={result.data?.bounceCodes} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          what="return code"
          about="Why banks send debits back, what follows for further collection, and what the merchant owes for it."
          rows={rows}
          nameOf={(r) => r.code}
          columns={[
            { title: "Code", cell: (r) => r.code },
            { title: "Title", cell: (r) => r.title },
            { title: "What follows", cell: (r) => words(r.action) },
            { title: "May be retried", cell: (r) => (r.retryable ? "Yes" : "No") },
            { title: "Fee", right: true, cell: (r) => money(r.fee) },
            { title: "State", cell: (r) => <InUse on={r.isActive} /> },
          ]}
          fields={[
            { name: "title", label: "Title", required: true },
            { name: "action", label: "What follows", kind: "choice", options: actions, required: true },
            { name: "fee", label: "Fee", kind: "money", hint: "What the merchant owes for the return" },
            { name: "retryable", label: "May be retried", kind: "switch" },
            inUseField,
          ]}
          update={(id, input) => update({ id, input })}
        />
      )}
    </Loaded>
  );
}
