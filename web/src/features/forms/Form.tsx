import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Copy } from "../../components/Copy";
import { FormDialog } from "../../components/FormDialog";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { Refused } from "../../components/Refused";
import { Section } from "../../components/Section";
import { report, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import { type ApplicationFormFragment, FormsDocument, UpdateFormDocument } from "../../gql/documents";
import type { Problem } from "../../session/auth";
import { useCan } from "../../session/permissions";
import { FieldsEditor } from "./FieldsEditor";
import { stateOf } from "./Forms";
import { fieldsOf, toStore } from "./fields";

/** Form is one application form: where it is, whether it takes applications, and what it asks. */
export function Form() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(FormsDocument, {}));
  const forms = result.data?.forms;
  const can = useCan();
  return (
    <Loaded
      what="form"
      record={forms && (forms.find((form) => form.id === id) ?? null)}
      error={result.error}
      retry={result.refetch}
    >
      {(form) => (
        <Stack>
          <PageHeader
            title={form.name}
            parent={{ to: "/settings/forms", title: "Application forms" }}
            beside={stateOf(form)}
            actions={can("edit-company-settings") && <Actions of={form} />}
          />
          <Page of={form} />
          <Asked key={JSON.stringify(form.fields)} of={form} mayEdit={can("edit-company-settings")} />
        </Stack>
      )}
    </Loaded>
  );
}

function Page({ of: form }: { of: ApplicationFormFragment }) {
  const address = `${window.location.origin}/apply/${form.slug}`;
  return (
    <Section title="Page">
      <Group gap="xs" wrap="nowrap">
        <Anchor href={address} target="_blank" rel="noreferrer">
          {address}
        </Anchor>
        <Copy value={address} label="Copy the address" />
      </Group>
      {!form.isActive && (
        <Text size="sm" c="dimmed">
          While it is off, the page is not there.
        </Text>
      )}
    </Section>
  );
}

function Actions({ of: form }: { of: ApplicationFormFragment }) {
  const [update, busy] = useAct(UpdateFormDocument);
  const toggle = () =>
    report(
      update({ id: form.id, input: { isActive: !form.isActive } }),
      form.isActive ? "The form takes no applications any more." : "The form takes applications.",
    );
  return (
    <>
      <FormDialog
        label="Edit"
        title="Edit form"
        fields={[
          { name: "name", label: "Name", required: true },
          {
            name: "slug",
            label: "In its address",
            required: true,
            hint: "Links to the address that it has now lead nowhere then",
          },
        ]}
        initial={form}
        submitLabel="Save"
        save={async (input) => {
          const { problem } = await update({ id: form.id, input });
          if (!problem) {
            tell("The form is saved.");
          }
          return problem;
        }}
      />
      <Button variant="default" loading={busy} onClick={() => void toggle()}>
        {form.isActive ? "Turn off" : "Turn on"}
      </Button>
    </>
  );
}

function Asked({ of: form, mayEdit }: { of: ApplicationFormFragment; mayEdit: boolean }) {
  const [fields, setFields] = useState(() => fieldsOf(form.fields));
  const [problem, setProblem] = useState<Problem>();
  const [update, busy] = useAct(UpdateFormDocument);
  const same = JSON.stringify(toStore(fields)) === JSON.stringify(toStore(fieldsOf(form.fields)));
  const save = async () => {
    const outcome = await update({ id: form.id, input: { fields: toStore(fields) } });
    setProblem(outcome.problem);
    if (!outcome.problem) {
      tell("The form asks this from now on.");
    }
  };
  return (
    <Section title="What it asks">
      <FieldsEditor fields={fields} set={setFields} problem={problem} readOnly={!mayEdit} />
      <Refused
        problem={problem}
        fields={(problem?.details ?? []).map((d) => d.path).filter((path) => /^(input\.)?fields\.\d/.test(path))}
      />
      {mayEdit && (
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={same}
            onClick={() => {
              setFields(fieldsOf(form.fields));
              setProblem(undefined);
            }}
          >
            As it is
          </Button>
          <Button disabled={same} loading={busy} onClick={() => void save()}>
            Save what it asks
          </Button>
        </Group>
      )}
    </Section>
  );
}
