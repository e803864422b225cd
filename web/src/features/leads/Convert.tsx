import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type FormField, RecordForm } from "../../components/RecordForm";
import { tell, useAct } from "../../gql/act";
import { ConvertLeadDocument } from "../../gql/documents";
import { productOptions } from "../deals/states";

const fields: FormField[] = [
  { name: "legalName", label: "Registered name", required: true },
  { name: "federalId", label: "EIN", hint: "Nine digits; the hyphen is optional" },
  { name: "merchantId", label: "Merchant that it is already", hint: "The merchant's number, where there is one" },
  { name: "deal", label: "Begin a deal with it", kind: "switch" },
  {
    name: "productType",
    label: "Product of the deal",
    kind: "choice",
    options: productOptions,
    hint: "MCA unless chosen",
  },
];

/** Convert makes a merchant of a lead, and begins a deal where that is asked for. */
export function Convert({ lead }: { lead: { id: string; businessName: string } }) {
  const [opened, dialog] = useDisclosure();
  const [convert] = useAct(ConvertLeadDocument);
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={dialog.open}>Convert</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="Convert lead"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text size="sm">
            A merchant is made of what is known of {lead.businessName}. The lead stays, and names the merchant.
          </Text>
          <RecordForm
            fields={fields}
            initial={{ legalName: lead.businessName }}
            submitLabel="Convert lead"
            cancel={dialog.close}
            save={async (input) => {
              const { data, problem } = await convert({ id: lead.id, input });
              const merchant = data?.convertLead?.merchant;
              if (merchant) {
                tell(`${merchant.legalName} is a merchant now.`);
                await navigate({ to: "/merchants/$id", params: { id: merchant.id } });
              }
              return problem;
            }}
          />
        </Stack>
      </Modal>
    </>
  );
}
