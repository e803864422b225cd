import { Button, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { type FormField, RecordForm } from "../../components/RecordForm";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { CreateDealDocument, type NewDeal } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { MerchantSelect } from "./MerchantSelect";
import { productOptions } from "./states";

/** The fields of a new deal; the rest is edited on its page. */
const newDealFields: FormField[] = [
  { name: "productType", label: "Product", kind: "choice", options: productOptions, hint: "Default: MCA" },
  { name: "fundedAmount", label: "Funded amount", kind: "money" },
  { name: "factorRate", label: "Factor rate", kind: "rate" },
  { name: "numberOfPayments", label: "Number of payments", kind: "integer" },
  { name: "referenceId", label: "Reference ID" },
];

export function NewDealButton() {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>New deal</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New deal"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <NewDealForm cancel={dialog.close} />
      </Modal>
    </>
  );
}

function NewDealForm({ cancel }: { cancel: () => void }) {
  const [merchantId, setMerchantId] = useState<string | null>(null);
  const [showMissing, setShowMissing] = useState(false);
  const [create] = useGraphMutation(CreateDealDocument);
  const navigate = useSafeNavigate();
  return (
    <Stack>
      <MerchantSelect
        required
        value={merchantId}
        onChange={setMerchantId}
        error={showMissing && !merchantId ? "Required" : undefined}
      />
      <RecordForm
        fields={newDealFields}
        submitLabel="Create deal"
        cancel={cancel}
        save={async (changes) => {
          if (!merchantId) {
            setShowMissing(true);
            return undefined;
          }
          const { data, problem } = await create({ input: { ...changes, merchantId } as NewDeal });
          if (data?.createDeal) {
            showSuccess(`${data.createDeal.dealNumber} created.`);
            await navigate({ to: "/deals/$id", params: { id: data.createDeal.id } });
          }
          return problem;
        }}
      />
    </Stack>
  );
}
