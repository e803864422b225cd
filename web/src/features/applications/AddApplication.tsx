import { Button, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RecordForm } from "../../components/RecordForm";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import { CreateApplicationDocument, FormOptionsDocument, type FormOptionsQuery } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { answerFields, type Question } from "./answers";

type Form = NonNullable<FormOptionsQuery["forms"]>[number];

/** Enters an application that came in on paper or by phone. */
export function AddApplication() {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button onClick={dialog.open}>Add application</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="Add application"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <FormChoice close={dialog.close} />
      </Modal>
    </>
  );
}

function FormChoice({ close }: { close: () => void }) {
  const result = useQuery(graphQuery(FormOptionsDocument, {}));
  const [formId, setFormId] = useState<string | null>(null);
  const forms = (result.data?.forms ?? []).filter((f) => f.isActive);
  const form = forms.find((f) => f.id === formId) ?? (forms.length === 1 ? forms[0] : undefined);
  if (result.data && forms.length === 0) {
    return <Text>No form is accepting applications. Create one in Settings.</Text>;
  }
  return (
    <Stack>
      {forms.length > 1 && (
        <Select
          label="Form"
          data={forms.map((f) => ({ value: f.id, label: f.name }))}
          value={formId}
          onChange={setFormId}
          allowDeselect={false}
        />
      )}
      {form && <AnswersForm key={form.id} form={form} close={close} />}
    </Stack>
  );
}

function AnswersForm({ form, close }: { form: Form; close: () => void }) {
  const [create] = useGraphMutation(CreateApplicationDocument);
  const navigate = useSafeNavigate();
  return (
    <RecordForm
      fields={answerFields(form.fields as Question[])}
      submitLabel="Add application"
      cancel={close}
      save={async (changes) => {
        const payload = Object.fromEntries(
          Object.entries(changes)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => [name.replace(/^answer-/, ""), value]),
        );
        const { data, problem } = await create({ input: { formId: form.id, payload } });
        if (data?.createApplication) {
          showSuccess("Application added.");
          await navigate({ to: "/applications/$id", params: { id: data.createApplication.id } });
        }
        return problem?.withPaths((path) => path.replace(/^payload\./, "answer-"));
      }}
    />
  );
}
