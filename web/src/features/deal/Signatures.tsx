import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ActButton } from "../../components/ActButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { none, words } from "../../components/format";
import { Instant } from "../../components/Instant";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { report, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  DealDocumentsDocument,
  DealSignaturesDocument,
  type DealSignaturesQuery,
  ExpireSignatureRequestDocument,
  RecordRefusalDocument,
  RecordSignatureDocument,
  RecordViewingDocument,
  SendSignatureRequestDocument,
  VoidSignatureRequestDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { NewSignatureRequest } from "./NewSignatureRequest";
import { Part } from "./Part";

type OfDeal = NonNullable<DealSignaturesQuery["deal"]>;
type Request = NonNullable<OfDeal["signatureRequests"]>["nodes"][number];
type Signer = NonNullable<Request["signers"]>[number];

/** Signatures shows what was sent out to be signed, and who has signed it. */
export default function Signatures({ id }: { id: string }) {
  const can = useCan();
  const writes = can("deals:write");
  return (
    <Stack>
      {writes && (
        <Group justify="flex-end">
          <NewSignatureRequest dealId={id} />
        </Group>
      )}
      <Part
        id={id}
        what="signature requests"
        document={DealSignaturesDocument}
        list={(data) => data.deal?.signatureRequests}
        empty="Nothing was sent out to be signed yet. The contract is needed for funding."
      >
        {(items) => (
          <Stack>
            {items.map((r) => (
              <One key={r.id} dealId={id} of={r} writes={writes} />
            ))}
          </Stack>
        )}
      </Part>
    </Stack>
  );
}

function One({ dealId, of: r, writes }: { dealId: string; of: Request; writes: boolean }) {
  return (
    <Section
      title={r.title}
      actions={
        <Group gap="xs">
          <StateBadge state={r.status} />
          {writes && <Acts of={r} />}
        </Group>
      }
    >
      <Fields
        label={`Request ${r.id}`}
        of={[
          ["Kind", words(r.kind)],
          ["Made", <Instant key="made" at={r.createdAt} />],
          ["Sent", <Instant key="sent" at={r.sentAt} />],
          ["May be signed until", <Instant key="until" at={r.expiresAt} />],
          ["Complete", <Instant key="complete" at={r.completedAt} />],
          ["Signed with", [r.provider, r.externalId].filter(Boolean).join(" ")],
          ...(r.declinedReason ? [["Declined because", r.declinedReason] as [string, string]] : []),
        ]}
      />
      <Signers dealId={dealId} of={r} writes={writes} />
    </Section>
  );
}

function Acts({ of: r }: { of: Request }) {
  const [send] = useAct(SendSignatureRequestDocument);
  const [annul] = useAct(VoidSignatureRequestDocument);
  const [expire] = useAct(ExpireSignatureRequestDocument);
  const over = r.status === "SENT" && r.expiresAt !== null && Date.parse(r.expiresAt) <= Date.now();
  return (
    <>
      {r.status === "DRAFT" && (
        <FormDialog
          label="Send"
          name={`Send: ${r.title}`}
          size="xs"
          fields={[
            {
              name: "expiresAt",
              label: "May be signed until the beginning of",
              kind: "date",
              hint: "30 days unless given",
            },
          ]}
          submitLabel="Send"
          save={async (input) => {
            const { problem } = await send({ id: r.id, input });
            if (!problem) {
              tell(`${r.title} is out to be signed.`);
            }
            return problem;
          }}
        />
      )}
      {over && (
        <ActButton
          label="Time is over"
          name={`Time is over: ${r.title}`}
          run={() => report(expire({ id: r.id }), `${r.title} is expired.`)}
        />
      )}
      {(r.status === "DRAFT" || r.status === "SENT") && (
        <ConfirmButton
          label="Void"
          name={`Void: ${r.title}`}
          size="xs"
          danger
          consequence="Nobody can sign it any more."
          run={() => report(annul({ id: r.id }), `${r.title} is void.`)}
        />
      )}
    </>
  );
}

function Signers({ dealId, of: r, writes }: { dealId: string; of: Request; writes: boolean }) {
  const signers = r.signers ?? [];
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": `Table of who signs ${r.title}` },
      }}
    >
      <Table aria-label={`Signers of ${r.title}`} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Signer</Table.Th>
            <Table.Th>E-mail</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>When</Table.Th>
            {writes && <Table.Th>To do</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {signers.map((s) => (
            <Table.Tr key={s.id}>
              <Table.Td>{[s.name, s.title].filter(Boolean).join(", ")}</Table.Td>
              <Table.Td>{s.email}</Table.Td>
              <Table.Td>
                <StateBadge state={s.status} />
                {s.declinedReason && (
                  <Text size="xs" c="dimmed">
                    {s.declinedReason}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Instant at={s.signedAt ?? s.declinedAt ?? s.viewedAt} />
              </Table.Td>
              {writes && (
                <Table.Td>
                  {r.status === "SENT" ? <Recorded dealId={dealId} of={s} last={last(signers, s)} /> : none}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** last reports whether everybody else has signed. */
const last = (signers: Signer[], s: Signer) => signers.every((other) => other === s || other.status === "SIGNED");

/** Recorded notes what a signer did on paper, or with somebody who does not tell paydown. */
function Recorded({ dealId, of: s, last }: { dealId: string; of: Signer; last: boolean }) {
  const [view] = useAct(RecordViewingDocument);
  const [sign] = useAct(RecordSignatureDocument);
  const [refuse] = useAct(RecordRefusalDocument);
  const papers = useQuery({ ...graphQuery(DealDocumentsDocument, { id: dealId }), enabled: last });
  const uploaded = (papers.data?.deal?.documents?.nodes ?? []).map((d) => ({ value: d.id, label: d.name }));
  if (s.status !== "PENDING" && s.status !== "VIEWED") {
    return none;
  }
  return (
    <Group gap={6}>
      {s.status === "PENDING" && (
        <ActButton
          label="Has seen it"
          name={`Has seen it: ${s.name}`}
          run={() => report(view({ id: s.id }), `It is noted that ${s.name} has seen it.`)}
        />
      )}
      <FormDialog
        label="Signed"
        name={`Signed: ${s.name}`}
        size="xs"
        variant="default"
        fields={[
          { name: "at", label: "On", kind: "date", hint: "Now unless given" },
          ...(last
            ? [
                {
                  name: "documentId",
                  label: "Signed document",
                  kind: "choice",
                  options: uploaded,
                  hint: "Upload it under Documents first",
                } satisfies FormField,
                {
                  name: "documentUrl",
                  label: "Link to the signed document",
                  hint: "If it is kept elsewhere",
                } satisfies FormField,
              ]
            : []),
        ]}
        submitLabel="Note the signature"
        save={async (input) => {
          const { problem } = await sign({ id: s.id, input });
          if (!problem) {
            tell(`The signature of ${s.name} is noted.`);
          }
          return problem;
        }}
      />
      <FormDialog
        label="Declined"
        name={`Declined: ${s.name}`}
        size="xs"
        variant="default"
        fields={[{ name: "reason", label: "In the signer's words", kind: "long" }]}
        submitLabel="Note the refusal"
        save={async (input) => {
          const { problem } = await refuse({ id: s.id, input });
          if (!problem) {
            tell(`It is noted that ${s.name} has declined.`);
          }
          return problem;
        }}
      />
    </Group>
  );
}
