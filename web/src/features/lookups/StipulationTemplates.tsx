import { useQuery } from "@tanstack/react-query";
import { humanize, none } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import type { FormField } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import {
  CreateStipulationTemplateDocument,
  type DealRequirement,
  type NewStipulationTemplate,
  StipulationTemplatesDocument,
  UpdateStipulationTemplateDocument,
} from "../../gql/documents";
import { useGraphMutation } from "../../gql/mutation";
import { productName, productOptions } from "../deals/states";
import { codeField } from "./common";
import { Lookup } from "./Lookup";

const requirements: { value: DealRequirement; label: string }[] = [
  { value: "REQUIRED", label: "Required" },
  { value: "WAIVABLE", label: "Required, can be waived" },
  { value: "NOT_USED", label: "Not used" },
];

const editFields: FormField[] = [
  { name: "title", label: "Title", required: true },
  { name: "requirement", label: "Requirement", kind: "choice", options: requirements, required: true },
  { name: "months", label: "Months of statements", kind: "integer" },
  { name: "position", label: "Position", kind: "integer" },
];

/** The default stipulations of new deals, by product. */
export function StipulationTemplates() {
  const result = useQuery(graphQuery(StipulationTemplatesDocument, {}));
  const [create] = useGraphMutation(CreateStipulationTemplateDocument);
  const [update] = useGraphMutation(UpdateStipulationTemplateDocument);
  return (
    <Loaded noun="stipulations" record={result.data?.stipulationTemplates} error={result.error} retry={result.refetch}>
      {(rows) => (
        <Lookup
          noun="stipulation"
          description="Stipulations added to new deals, by product. Existing deals do not change."
          rows={rows}
          nameOf={(r) => `${r.title}, ${productName(r.product)}`}
          columns={[
            { title: "Product", cell: (r) => productName(r.product) },
            { title: "Title", cell: (r) => r.title },
            { title: "Code", cell: (r) => r.code },
            {
              title: "Requirement",
              cell: (r) => requirements.find((o) => o.value === r.requirement)?.label ?? humanize(r.requirement),
            },
            { title: "Months", right: true, cell: (r) => r.months ?? none },
            { title: "Position", right: true, cell: (r) => r.position },
          ]}
          fields={editFields}
          update={(id, input) => update({ id, input })}
          creation={{
            fields: [
              { name: "product", label: "Product", kind: "choice", options: productOptions, required: true },
              codeField,
              ...editFields,
            ],
            create: (input) => create({ input: input as NewStipulationTemplate }),
          }}
        />
      )}
    </Loaded>
  );
}
