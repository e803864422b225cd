import { Button, Modal, Select, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { humanize } from "../../components/format";
import { type FormField, RecordForm } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import {
  CreateSignatureRequestDocument,
  DealSignaturesDocument,
  type NewSignatureRequest as Input,
  type SignatureRequestKind,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";

const kinds = (["CONTRACT", "DISCLOSURE", "OTHER"] as const satisfies readonly SignatureRequestKind[]).map((value) => ({
  value,
  label: humanize(value),
}));

/** The server's limit of signers per request. */
const maxSigners = 20;

const requestFields: FormField[] = [
  { name: "kind", label: "Type", kind: "choice", options: kinds, required: true },
  { name: "title", label: "Title", required: true },
  { name: "provider", label: "E-signature provider", hint: "Leave empty if signed on paper" },
  { name: "externalId", label: "Provider reference" },
];

const signerFields = (n: number): FormField[] => [
  { name: `name${n}`, label: n === 1 ? "Signer" : `Signer ${n}`, required: true },
  {
    name: `email${n}`,
    label: n === 1 ? "Signer email" : `Signer ${n} email`,
    kind: "email",
    required: true,
  },
];

/** Drafts a signature request. The merchant's contacts are suggested as signers. */
export function NewSignatureRequest({ dealId }: { dealId: string }) {
  const [opened, dialog] = useDisclosure();
  const result = useQuery(graphQuery(DealSignaturesDocument, { id: dealId }));
  const contacts = (result.data?.deal?.merchant?.contacts ?? [])
    .filter((c) => c.isPrimary || c.isGuarantor)
    .slice(0, maxSigners);
  return (
    <>
      <Button onClick={dialog.open}>New signature request</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New signature request"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RequestForm dealId={dealId} contacts={contacts} close={dialog.close} />
      </Modal>
    </>
  );
}

type Contact = { firstName: string; lastName: string; email: string | null; title: string | null };

function RequestForm({ dealId, contacts, close }: { dealId: string; contacts: Contact[]; close: () => void }) {
  const [count, setCount] = useState(Math.max(1, contacts.length));
  const [create] = useGraphMutation(CreateSignatureRequestDocument);
  const defaults: Record<string, unknown> = { kind: "CONTRACT", title: "Contract" };
  contacts.forEach((p, i) => {
    defaults[`name${i + 1}`] = `${p.firstName} ${p.lastName}`;
    defaults[`email${i + 1}`] = p.email;
  });
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return (
    <Stack>
      <Select
        label="Number of signers"
        data={Array.from({ length: maxSigners }, (_, i) => String(i + 1))}
        value={String(count)}
        onChange={(value) => setCount(Number(value ?? 1))}
        allowDeselect={false}
        w={140}
      />
      <RecordForm
        fields={[...requestFields, ...numbers.flatMap(signerFields)]}
        initial={defaults}
        submitLabel="Save draft"
        cancel={close}
        save={async (changes) => {
          const values: Record<string, unknown> = { ...defaults, ...changes };
          const { kind, title, provider, externalId } = values;
          const signers = numbers.map((n) => ({
            name: values[`name${n}`],
            email: values[`email${n}`],
            title: changes[`name${n}`] === undefined ? contacts[n - 1]?.title : undefined,
          }));
          const { data, problem } = await create({
            input: { dealId, kind, title, provider, externalId, signers } as Input,
          });
          if (!problem) {
            showSuccess(`${data.createSignatureRequest?.title} drafted. Send it to collect signatures.`);
            close();
          }
          return problem?.withPaths(formField);
        }}
      />
    </Stack>
  );
}

/** Maps a server path to its form field: signers.0.name is the first signer's name. */
const formField = (path: string) =>
  path.replace(/^signers\.(\d+)\.(name|email)$/, (_, i: string, of: string) => `${of}${Number(i) + 1}`);
