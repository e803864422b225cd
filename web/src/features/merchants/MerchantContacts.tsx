import { Group, Paper, Stack, Text } from "@mantine/core";
import { ActionButton } from "../../components/ActionButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { none, percent } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import {
  CreateMerchantContactDocument,
  DeleteMerchantContactDocument,
  type MerchantQuery,
  type NewMerchantContact,
  UpdateMerchantContactDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";

type MerchantData = NonNullable<MerchantQuery["merchant"]>;
type Contact = NonNullable<MerchantData["contacts"]>[number];

const fields: FormField[] = [
  { name: "firstName", label: "First name", required: true },
  { name: "lastName", label: "Last name", required: true },
  { name: "title", label: "Title" },
  { name: "phone", label: "Phone" },
  { name: "email", label: "Email", kind: "email" },
  { name: "ownershipPct", label: "Ownership %", kind: "rate" },
  {
    name: "ssn",
    label: "Social security number",
    hint: "Encrypted; only the last four digits are shown. Leave empty to keep the current one",
  },
  { name: "isGuarantor", label: "Personal guarantor", kind: "switch" },
  { name: "isPrimary", label: "Primary contact", kind: "switch" },
];

/** A merchant's contacts, the primary one first. */
export function MerchantContacts({ merchant }: { merchant: MerchantData }) {
  const can = useCan();
  const [create] = useGraphMutation(CreateMerchantContactDocument);
  const canWrite = can("merchants:write");
  const contacts = [...(merchant.contacts ?? [])].sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  return (
    <Section
      title="Contacts"
      actions={
        canWrite && (
          <FormDialog
            label="Add contact"
            size="xs"
            fields={fields}
            submitLabel="Add"
            save={async (changes) => {
              const input = { ...changes, merchantId: merchant.id } as NewMerchantContact;
              const { problem } = await create({ input });
              if (!problem) {
                showSuccess(`${input.firstName} ${input.lastName} added.`);
              }
              return problem;
            }}
          />
        )
      }
    >
      {contacts.length === 0 && <Text c="dimmed">No contacts yet.</Text>}
      <Stack gap="sm">
        {contacts.map((p) => (
          <ContactCard key={p.id} contact={p} canWrite={canWrite} />
        ))}
      </Stack>
    </Section>
  );
}

function ContactCard({ contact: p, canWrite }: { contact: Contact; canWrite: boolean }) {
  const [update] = useGraphMutation(UpdateMerchantContactDocument);
  const [remove] = useGraphMutation(DeleteMerchantContactDocument);
  const name = `${p.firstName} ${p.lastName}`;
  const role = [p.isPrimary && "Primary contact", p.isGuarantor && "Guarantor"].filter(Boolean).join(", ");
  return (
    <Paper withBorder p="sm" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>
            {[name, p.title].filter(Boolean).join(", ")}
            {role && (
              <Text component="span" size="sm" c="dimmed">
                {" "}
                {role}
              </Text>
            )}
          </Text>
          {canWrite && (
            <Group gap={6}>
              {!p.isPrimary && (
                <ActionButton
                  label="Make primary contact"
                  name={`Make primary contact: ${name}`}
                  run={() =>
                    showOutcome(update({ id: p.id, input: { isPrimary: true } }), `${name} is the primary contact.`)
                  }
                />
              )}
              <FormDialog
                label="Edit"
                name={`Edit ${name}`}
                size="xs"
                variant="default"
                fields={fields}
                initial={p}
                submitLabel="Save"
                save={async (input) => {
                  const { problem } = await update({ id: p.id, input });
                  if (!problem) {
                    showSuccess(`${name} saved.`);
                  }
                  return problem;
                }}
              />
              <ConfirmButton
                label="Delete"
                name={`Delete ${name}`}
                size="xs"
                danger
                consequence={`${name} will be removed from this merchant.`}
                run={() => showOutcome(remove({ id: p.id }), `${name} deleted.`)}
              />
            </Group>
          )}
        </Group>
        <Fields
          label={name}
          items={[
            ["Phone", p.phone],
            ["Email", p.email],
            ["Ownership", percent(p.ownershipPct)],
            ["Social security number", p.ssnLast4 ? `•••-••-${p.ssnLast4}` : none],
          ]}
        />
      </Stack>
    </Paper>
  );
}
