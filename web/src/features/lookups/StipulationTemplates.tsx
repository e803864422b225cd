import { useQuery } from "@tanstack/react-query";
import { none, words } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import type { FormField } from "../../components/RecordForm";
import { useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CreateStipulationTemplateDocument,
  type DealRequirement,
  type NewStipulationTemplate,
  StipulationsByDefaultDocument,
  UpdateStipulationTemplateDocument,
} from "../../gql/documents";
import { productName, productOptions } from "../deals/states";
import { codeField } from "./common";
import { Lookup } from "./Lookup";

const requirements: { value: DealRequirement; label: string }[] = [
  { value: "REQUIRED", label: "Required" },
  { value: "WAIVABLE", label: "Required, may be waived" },
  { value: "NOT_USED", label: "Not asked for" },
];

const changeable: FormField[] = [
  { name: "title", label: "What is asked for", required: true },
  { name: "requirement", label: "Needed", kind: "choice", options: requirements, required: true },
  { name: "months", label: "Months of statements", kind: "integer" },
  { name: "position", label: "Place in the list", kind: "integer" },
];

/** StipulationTemplates are what new deals of each product are asked for. */
export function StipulationTemplates() {
  const result = useQuery(graphQuery(StipulationsByDefaultDocument, {}));
  const [create] = useAct(CreateStipulationTemplateDocument);
  const [update] = useAct(UpdateStipulationTemplateDocument);
  return (
    <Loaded what="stipulations" record={result.data?.stipulationTemplates} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          what="stipulation"
          about="What a new deal is asked for before it is funded, by product. Deals that there are keep theirs."
          rows={rows}
          nameOf={(r) => `${r.title}, ${productName(r.product)}`}
          columns={[
            { title: "Product", cell: (r) => productName(r.product) },
            { title: "What is asked for", cell: (r) => r.title },
            { title: "Code", cell: (r) => r.code },
            {
              title: "Needed",
              cell: (r) => requirements.find((o) => o.value === r.requirement)?.label ?? words(r.requirement),
            },
            { title: "Months", right: true, cell: (r) => r.months ?? none },
            { title: "Place", right: true, cell: (r) => r.position },
          ]}
          fields={changeable}
          update={(id, input) => update({ id, input })}
          creation={{
            fields: [
              { name: "product", label: "Product", kind: "choice", options: productOptions, required: true },
              codeField,
              ...changeable,
            ],
            create: (input) => create({ input: input as NewStipulationTemplate }),
          }}
        />
      )}
    </Loaded>
  );
}
