import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Copy } from "../../components/Copy";
import { FormDialog } from "../../components/FormDialog";
import { FormError } from "../../components/FormError";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { graphQuery } from "../../gql/client";
import { type FormFieldsFragment, FormsDocument, UpdateFormDocument } from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import { useCan } from "../../session/permissions";
import { FieldsEditor } from "./FieldsEditor";
import { stateOf } from "./Forms";
import { parseFields, serializeFields } from "./fields";

/** An application form: its URL, whether it accepts applications, and its questions. */
export function Form() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(FormsDocument, {}));
  const forms = result.data?.forms;
  const can = useCan();
  return (
    <Loaded
      noun="form"
      record={forms && (forms.find((form) => form.id === id) ?? null)}
      error={result.error}
      retry={result.refetch}
    >
      {(form) => (
        <Stack>
          <PageHeader
            title={form.name}
            parent={{ to: "/settings/forms", title: "Application forms" }}
            titleExtra={stateOf(form)}
            actions={can("edit-company-settings") && <Actions form={form} />}
          />
          <PublicPage form={form} />
          <Questions key={JSON.stringify(form.fields)} form={form} canEdit={can("edit-company-settings")} />
        </Stack>
      )}
    </Loaded>
  );
}

function PublicPage({ form }: { form: FormFieldsFragment }) {
  const address = `${window.location.origin}/apply/${form.slug}`;
  return (
    <Section title="Page">
      <Group gap="xs" wrap="nowrap">
        <Anchor href={address} target="_blank" rel="noreferrer">
          {address}
        </Anchor>
        <Copy value={address} label="Copy link" />
      </Group>
      {!form.isActive && (
        <Text size="sm" c="dimmed">
          The page is unavailable while the form is off.
        </Text>
      )}
    </Section>
  );
}

function Actions({ form }: { form: FormFieldsFragment }) {
  const [update, busy] = useGraphMutation(UpdateFormDocument);
  const toggle = () =>
    showOutcome(
      update({ id: form.id, input: { isActive: !form.isActive } }),
      form.isActive ? "The form no longer accepts applications." : "The form accepts applications.",
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
            label: "URL slug",
            required: true,
            hint: "Existing links to the form will stop working",
          },
        ]}
        initial={form}
        submitLabel="Save"
        save={async (input) => {
          const { problem } = await update({ id: form.id, input });
          if (!problem) {
            showSuccess("Form saved.");
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

function Questions({ form, canEdit }: { form: FormFieldsFragment; canEdit: boolean }) {
  const [fields, setFields] = useState(() => parseFields(form.fields));
  const [problem, setProblem] = useState<Problem>();
  const [update, busy] = useGraphMutation(UpdateFormDocument);
  const unchanged =
    JSON.stringify(serializeFields(fields)) === JSON.stringify(serializeFields(parseFields(form.fields)));
  const save = async () => {
    const outcome = await update({ id: form.id, input: { fields: serializeFields(fields) } });
    setProblem(outcome.problem);
    if (!outcome.problem) {
      showSuccess("Questions published.");
    }
  };
  return (
    <Section title="Questions">
      <FieldsEditor fields={fields} set={setFields} problem={problem} readOnly={!canEdit} />
      <FormError
        problem={problem}
        fields={(problem?.details ?? []).map((d) => d.path).filter((path) => /^(input\.)?fields\.\d/.test(path))}
      />
      {canEdit && (
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={unchanged}
            onClick={() => {
              setFields(parseFields(form.fields));
              setProblem(undefined);
            }}
          >
            Discard changes
          </Button>
          <Button disabled={unchanged} loading={busy} onClick={() => void save()}>
            Publish
          </Button>
        </Group>
      )}
    </Section>
  );
}
