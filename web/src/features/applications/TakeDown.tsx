import { Button, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RecordForm } from "../../components/RecordForm";
import { useGo } from "../../components/useGo";
import { tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import { CreateApplicationDocument, FormChoicesDocument, type FormChoicesQuery } from "../../gql/documents";
import { type Asked, formFields } from "./answers";

type Form = NonNullable<FormChoicesQuery["forms"]>[number];

/** TakeDown enters an application that somebody makes on paper or by telephone. */
export function TakeDown() {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>Take one down</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="Take down an application"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Choice close={dialog.close} />
      </Modal>
    </>
  );
}

function Choice({ close }: { close: () => void }) {
  const result = useQuery(graphQuery(FormChoicesDocument, {}));
  const [chosen, setChosen] = useState<string | null>(null);
  const forms = (result.data?.forms ?? []).filter((f) => f.isActive);
  const form = forms.find((f) => f.id === chosen) ?? (forms.length === 1 ? forms[0] : undefined);
  if (result.data && forms.length === 0) {
    return <Text>There is no form that takes applications. One is made in the settings.</Text>;
  }
  return (
    <Stack>
      {forms.length > 1 && (
        <Select
          label="Form"
          data={forms.map((f) => ({ value: f.id, label: f.name }))}
          value={chosen}
          onChange={setChosen}
          allowDeselect={false}
        />
      )}
      {form && <Answers key={form.id} form={form} close={close} />}
    </Stack>
  );
}

function Answers({ form, close }: { form: Form; close: () => void }) {
  const [create] = useAct(CreateApplicationDocument);
  const navigate = useGo();
  return (
    <RecordForm
      fields={formFields(form.fields as Asked[])}
      submitLabel="Take it down"
      cancel={close}
      save={async (changes) => {
        const payload = Object.fromEntries(
          Object.entries(changes)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => [name.replace(/^answer-/, ""), value]),
        );
        const { data, problem } = await create({ input: { formId: form.id, payload } });
        if (data?.createApplication) {
          tell("The application is taken down.");
          await navigate({ to: "/applications/$id", params: { id: data.createApplication.id } });
        }
        return problem?.at((path) => path.replace(/^payload\./, "answer-"));
      }}
    />
  );
}
