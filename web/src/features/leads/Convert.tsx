import { Text } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "../../components/FormDialog";
import type { FormField } from "../../components/RecordForm";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { ConvertLeadDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { MerchantSelect } from "../deals/MerchantSelect";
import { productOptions } from "../deals/states";

const fields: FormField[] = [
  { name: "legalName", label: "Legal name", required: true },
  { name: "federalId", label: "EIN", hint: "Nine digits; the hyphen is optional" },
  { name: "deal", label: "Also create a deal", kind: "switch" },
  {
    name: "productType",
    label: "Product",
    kind: "choice",
    options: productOptions,
    hint: "Default: MCA",
  },
];

/** Converts a lead to a new or existing merchant and, on request, creates a deal. */
export function Convert({ lead }: { lead: { id: string; businessName: string } }) {
  const [convert] = useGraphMutation(ConvertLeadDocument);
  const [merchantId, setMerchantId] = useState<string | null>(null);
  const navigate = useSafeNavigate();
  return (
    <FormDialog
      label="Convert"
      title="Convert lead"
      fields={fields}
      initial={{ legalName: lead.businessName }}
      submitLabel="Convert lead"
      save={async (changes) => {
        const { data, problem } = await convert({
          id: lead.id,
          input: { ...changes, ...(merchantId && { merchantId }) },
        });
        const merchant = data?.convertLead?.merchant;
        if (merchant) {
          showSuccess(`${merchant.legalName} is now a merchant.`);
          await navigate({ to: "/merchants/$id", params: { id: merchant.id } });
        }
        return problem;
      }}
    >
      <Text size="sm">Creates a merchant from {lead.businessName}. The lead is kept and linked to it.</Text>
      <MerchantSelect label="Existing merchant" value={merchantId} onChange={setMerchantId} />
    </FormDialog>
  );
}
