import { useQuery } from "@tanstack/react-query";
import { humanize, money } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { graphQuery } from "../../gql/client";
import { type PaymentReturnAction, ReturnCodesDocument, UpdateBounceCodeDocument } from "../../gql/documents";
import { useGraphMutation } from "../../gql/mutation";
import { ActiveBadge, activeField } from "./common";
import { Lookup } from "./Lookup";

const actions = (
  ["RETRY", "PAUSE", "NEW_ACCOUNT", "COLLECTIONS", "LEGAL", "REVIEW"] as const satisfies readonly PaymentReturnAction[]
).map((value) => ({ value, label: humanize(value) }));

/** NACHA return codes, and what the company does about each. */
export function ReturnCodes() {
  const result = useQuery(graphQuery(ReturnCodesDocument, {}));
  const [update] = useGraphMutation(UpdateBounceCodeDocument);
  return (
    <Loaded noun="return codes" record={result.data?.bounceCodes} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          noun="return code"
          description="ACH return codes, what to do about each, and the fee charged to the merchant."
          rows={rows}
          nameOf={(r) => r.code}
          columns={[
            { title: "Code", cell: (r) => r.code },
            { title: "Title", cell: (r) => r.title },
            { title: "Action", cell: (r) => humanize(r.action) },
            { title: "Can be retried", cell: (r) => (r.retryable ? "Yes" : "No") },
            { title: "Fee", right: true, cell: (r) => money(r.fee) },
            { title: "Status", cell: (r) => <ActiveBadge on={r.isActive} /> },
          ]}
          fields={[
            { name: "title", label: "Title", required: true },
            { name: "action", label: "Action", kind: "choice", options: actions, required: true },
            { name: "fee", label: "Fee", kind: "money", hint: "Charged to the merchant" },
            { name: "retryable", label: "Can be retried", kind: "switch" },
            activeField,
          ]}
          update={(id, input) => update({ id, input })}
        />
      )}
    </Loaded>
  );
}
