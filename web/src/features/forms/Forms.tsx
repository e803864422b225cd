import { Anchor, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FormDialog } from "../../components/FormDialog";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import { CreateFormDocument, type FormFieldsFragment, FormsDocument, type NewForm } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { defaultFields, parseFields } from "./fields";

/** The state of a form for its badge. */
export const stateOf = (form: FormFieldsFragment) =>
  form.isActive ? <StateBadge state="ACTIVE" label="On" /> : <StateBadge state="OFF" label="Off" />;

/** The company's application forms. Each has a public page. */
export function Forms() {
  const result = useQuery(graphQuery(FormsDocument, {}));
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Application forms" actions={can("edit-company-settings") && <NewFormButton />} />
      <Loaded noun="forms" record={result.data?.forms} error={result.error} retry={result.refetch}>
        {(forms) =>
          forms.length === 0 ? (
            <Text c="dimmed">No forms yet. Create one so that businesses can apply online.</Text>
          ) : (
            <SmallTable
              label="Forms"
              highlightOnHover
              region="Table of forms"
              minWidth={560}
              head={
                <>
                  <Table.Th>Form</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>Page</Table.Th>
                  <Table.Th ta="right">Fields</Table.Th>
                  <Table.Th>Last updated</Table.Th>
                </>
              }
            >
              {forms.map((form) => (
                <Table.Tr key={form.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/settings/forms/${form.id}`} inherit>
                      {form.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{stateOf(form)}</Table.Td>
                  <Table.Td>/apply/{form.slug}</Table.Td>
                  <Table.Td ta="right">{parseFields(form.fields).length}</Table.Td>
                  <Table.Td>
                    <Instant at={form.updatedAt} relative />
                  </Table.Td>
                </Table.Tr>
              ))}
            </SmallTable>
          )
        }
      </Loaded>
    </Stack>
  );
}

function NewFormButton() {
  const [create] = useGraphMutation(CreateFormDocument);
  const navigate = useSafeNavigate();
  return (
    <FormDialog
      label="New form"
      fields={[
        { name: "name", label: "Name", required: true },
        { name: "slug", label: "URL slug", required: true, hint: "Lowercase letters, digits and hyphens" },
      ]}
      submitLabel="Create form"
      save={async (changes) => {
        const input = { ...changes, fields: defaultFields, isActive: false } as unknown as NewForm;
        const { data, problem } = await create({ input });
        if (data?.createForm) {
          showSuccess("Form created.");
          await navigate({ to: `/settings/forms/${data.createForm.id}` });
        }
        return problem;
      }}
    >
      <Text size="sm">Starts with the standard lead questions and stays off until you turn it on.</Text>
    </FormDialog>
  );
}
