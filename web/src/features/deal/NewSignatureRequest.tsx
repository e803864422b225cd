import { Button, Modal, Select, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { words } from "../../components/format";
import { type FormField, RecordForm } from "../../components/RecordForm";
import { tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CreateSignatureRequestDocument,
  DealSignaturesDocument,
  type NewSignatureRequest as Input,
  type SignatureRequestKind,
} from "../../gql/documents";

const kinds = (["CONTRACT", "DISCLOSURE", "OTHER"] as const satisfies readonly SignatureRequestKind[]).map((value) => ({
  value,
  label: words(value),
}));

/** How many people may sign one request. */
const most = 20;

const requestFields: FormField[] = [
  { name: "kind", label: "Kind", kind: "choice", options: kinds, required: true },
  { name: "title", label: "Title", required: true },
  { name: "provider", label: "Signed with", hint: "Where it is not on paper" },
  { name: "externalId", label: "Its number there" },
];

const signerFields = (n: number): FormField[] => [
  { name: `name${n}`, label: n === 1 ? "Signer" : `Signer ${n}`, required: true },
  {
    name: `email${n}`,
    label: n === 1 ? "E-mail of the signer" : `E-mail of signer ${n}`,
    kind: "email",
    required: true,
  },
];

/** NewSignatureRequest drafts a request. The merchant's people are suggested as its signers. */
export function NewSignatureRequest({ dealId }: { dealId: string }) {
  const [opened, dialog] = useDisclosure();
  const result = useQuery(graphQuery(DealSignaturesDocument, { id: dealId }));
  const people = (result.data?.deal?.merchant?.contacts ?? [])
    .filter((c) => c.isPrimary || c.isGuarantor)
    .slice(0, most);
  return (
    <>
      <Button onClick={dialog.open}>New request to sign</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New request to sign"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RequestForm dealId={dealId} people={people} close={dialog.close} />
      </Modal>
    </>
  );
}

type Person = { firstName: string; lastName: string; email: string | null; title: string | null };

function RequestForm({ dealId, people, close }: { dealId: string; people: Person[]; close: () => void }) {
  const [count, setCount] = useState(Math.max(1, people.length));
  const [create] = useAct(CreateSignatureRequestDocument);
  const begun: Record<string, unknown> = { kind: "CONTRACT", title: "Contract" };
  people.forEach((p, i) => {
    begun[`name${i + 1}`] = `${p.firstName} ${p.lastName}`;
    begun[`email${i + 1}`] = p.email;
  });
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return (
    <Stack>
      <Select
        label="How many sign"
        data={Array.from({ length: most }, (_, i) => String(i + 1))}
        value={String(count)}
        onChange={(value) => setCount(Number(value ?? 1))}
        allowDeselect={false}
        w={140}
      />
      <RecordForm
        fields={[...requestFields, ...numbers.flatMap(signerFields)]}
        initial={begun}
        submitLabel="Draft the request"
        cancel={close}
        save={async (changes) => {
          const told: Record<string, unknown> = { ...begun, ...changes };
          const { kind, title, provider, externalId } = told;
          const signers = numbers.map((n) => ({
            name: told[`name${n}`],
            email: told[`email${n}`],
            title: changes[`name${n}`] === undefined ? people[n - 1]?.title : undefined,
          }));
          const { data, problem } = await create({
            input: { dealId, kind, title, provider, externalId, signers } as Input,
          });
          if (!problem) {
            tell(`${data.createSignatureRequest?.title} is drafted. Send it to have it signed.`);
            close();
          }
          return problem?.at(fieldOf);
        }}
      />
    </Stack>
  );
}

/** fieldOf is the form's name of what the server calls signers.0.name, of the first. */
const fieldOf = (path: string) =>
  path.replace(/^signers\.(\d+)\.(name|email)$/, (_, i: string, of: string) => `${of}${Number(i) + 1}`);
