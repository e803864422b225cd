import { Text } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "../../components/FormDialog";
import type { FormField } from "../../components/RecordForm";
import { useGo } from "../../components/useGo";
import { tell, useAct } from "../../gql/act";
import { ConvertLeadDocument } from "../../gql/documents";
import { MerchantSelect } from "../deals/MerchantSelect";
import { productOptions } from "../deals/states";

const fields: FormField[] = [
  { name: "legalName", label: "Registered name", required: true },
  { name: "federalId", label: "EIN", hint: "Nine digits; the hyphen is optional" },
  { name: "deal", label: "Begin a deal with it", kind: "switch" },
  {
    name: "productType",
    label: "Product of the deal",
    kind: "choice",
    options: productOptions,
    hint: "MCA unless chosen",
  },
];

/** Convert makes a merchant of a lead, or has it be one that is there, and begins a deal where that is asked for. */
export function Convert({ lead }: { lead: { id: string; businessName: string } }) {
  const [convert] = useAct(ConvertLeadDocument);
  const [merchantId, setMerchantId] = useState<string | null>(null);
  const navigate = useGo();
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
          tell(`${merchant.legalName} is a merchant now.`);
          await navigate({ to: "/merchants/$id", params: { id: merchant.id } });
        }
        return problem;
      }}
    >
      <Text size="sm">
        A merchant is made of what is known of {lead.businessName}. The lead stays, and names the merchant.
      </Text>
      <MerchantSelect label="Merchant that it is already" value={merchantId} onChange={setMerchantId} />
    </FormDialog>
  );
}
