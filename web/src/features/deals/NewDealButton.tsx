import { Button, Modal, Select, Stack } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useQuery } from "urql";
import { type FormField, RecordForm } from "../../components/RecordForm";
import { tell, useAct } from "../../gql/act";
import { CreateDealDocument, MerchantChoicesDocument, type NewDeal } from "../../gql/documents";
import { productOptions } from "./states";

/** What a deal begins with; the rest is edited on its page. */
const firstFields: FormField[] = [
  { name: "productType", label: "Product", kind: "choice", options: productOptions, hint: "MCA unless chosen" },
  { name: "fundedAmount", label: "Funded amount", kind: "money" },
  { name: "factorRate", label: "Factor", kind: "rate" },
  { name: "numberOfPayments", label: "Number of payments", kind: "integer" },
  { name: "referenceId", label: "Own reference" },
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
  const [missing, setMissing] = useState(false);
  const [create] = useAct(CreateDealDocument);
  const navigate = useNavigate();
  return (
    <Stack>
      <MerchantSelect
        value={merchantId}
        onChange={setMerchantId}
        error={missing && !merchantId ? "Is required" : undefined}
      />
      <RecordForm
        fields={firstFields}
        submitLabel="Make deal"
        cancel={cancel}
        save={async (changes) => {
          if (!merchantId) {
            setMissing(true);
            return undefined;
          }
          const { data, problem } = await create({ input: { ...changes, merchantId } as NewDeal });
          if (data?.createDeal) {
            tell(`${data.createDeal.dealNumber} is made.`);
            await navigate({ to: "/deals/$id", params: { id: data.createDeal.id } });
          }
          return problem;
        }}
      />
    </Stack>
  );
}

/** MerchantSelect finds a merchant by its name among however many there are. */
function MerchantSelect({
  value,
  onChange,
  error,
}: {
  value: string | null;
  onChange: (id: string | null) => void;
  error: string | undefined;
}) {
  const [text, setText] = useState("");
  const [q] = useDebouncedValue(text, 250);
  const [result] = useQuery({ query: MerchantChoicesDocument, variables: { q } });
  return (
    <Select
      label="Merchant"
      required
      searchable
      data={(result.data?.merchants?.nodes ?? []).map((m) => ({ value: m.id, label: m.legalName }))}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={result.fetching ? "Looking …" : "No such merchant"}
      error={error}
    />
  );
}
