import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ActionButton } from "../../components/ActionButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { humanize, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
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
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { DealList } from "./DealList";
import { NewSignatureRequest } from "./NewSignatureRequest";

type DealWithSignatures = NonNullable<DealSignaturesQuery["deal"]>;
type Request = NonNullable<DealWithSignatures["signatureRequests"]>["nodes"][number];
type Signer = NonNullable<Request["signers"]>[number];

/** Lists signature requests and their signers. */
export default function Signatures({ id }: { id: string }) {
  const can = useCan();
  const canWrite = can("deals:write");
  return (
    <Stack>
      {canWrite && (
        <Group justify="flex-end">
          <NewSignatureRequest dealId={id} />
        </Group>
      )}
      <DealList
        id={id}
        noun="signature requests"
        document={DealSignaturesDocument}
        list={(data) => data.deal?.signatureRequests}
        empty="No signature requests yet. A signed contract is required for funding."
      >
        {(items) => (
          <Stack>
            {items.map((r) => (
              <RequestSection key={r.id} dealId={id} request={r} canWrite={canWrite} />
            ))}
          </Stack>
        )}
      </DealList>
    </Stack>
  );
}

function RequestSection({ dealId, request: r, canWrite }: { dealId: string; request: Request; canWrite: boolean }) {
  return (
    <Section
      title={r.title}
      actions={
        <Group gap="xs">
          <StateBadge state={r.status} />
          {canWrite && <RequestActions request={r} />}
        </Group>
      }
    >
      <Fields
        label={`Request ${r.id}`}
        items={[
          ["Type", humanize(r.kind)],
          ["Created", <Instant key="made" at={r.createdAt} />],
          ["Sent", <Instant key="sent" at={r.sentAt} />],
          ["Expires", <Instant key="until" at={r.expiresAt} />],
          ["Completed", <Instant key="complete" at={r.completedAt} />],
          ["Provider", [r.provider, r.externalId].filter(Boolean).join(" ")],
          ...(r.declinedReason ? [["Reason declined", r.declinedReason] as [string, string]] : []),
        ]}
      />
      <Signers dealId={dealId} request={r} canWrite={canWrite} />
    </Section>
  );
}

function RequestActions({ request: r }: { request: Request }) {
  const [send] = useGraphMutation(SendSignatureRequestDocument);
  const [voidRequest] = useGraphMutation(VoidSignatureRequestDocument);
  const [expire] = useGraphMutation(ExpireSignatureRequestDocument);
  const isExpired = r.status === "SENT" && r.expiresAt !== null && Date.parse(r.expiresAt) <= Date.now();
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
              label: "Expires on",
              kind: "date",
              hint: "Default: 30 days",
            },
          ]}
          submitLabel="Send"
          save={async (input) => {
            const { problem } = await send({ id: r.id, input });
            if (!problem) {
              showSuccess(`${r.title} sent for signature.`);
            }
            return problem;
          }}
        />
      )}
      {isExpired && (
        <ActionButton
          label="Mark expired"
          name={`Mark expired: ${r.title}`}
          run={() => showOutcome(expire({ id: r.id }), `${r.title} marked as expired.`)}
        />
      )}
      {(r.status === "DRAFT" || r.status === "SENT") && (
        <ConfirmButton
          label="Void"
          name={`Void: ${r.title}`}
          size="xs"
          danger
          consequence="It can no longer be signed."
          run={() => showOutcome(voidRequest({ id: r.id }), `${r.title} voided.`)}
        />
      )}
    </>
  );
}

function Signers({ dealId, request: r, canWrite }: { dealId: string; request: Request; canWrite: boolean }) {
  const signers = r.signers ?? [];
  return (
    <SmallTable
      label={`Signers of ${r.title}`}
      verticalSpacing={4}
      region={`Table of signers of ${r.title}`}
      minWidth={560}
      head={
        <>
          <Table.Th>Signer</Table.Th>
          <Table.Th>Email</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>When</Table.Th>
          {canWrite && <Table.Th>Actions</Table.Th>}
        </>
      }
    >
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
          {canWrite && (
            <Table.Td>
              {r.status === "SENT" ? (
                <SignerActions dealId={dealId} signer={s} isLastSigner={isLastSigner(signers, s)} />
              ) : (
                none
              )}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </SmallTable>
  );
}

/** Reports whether all other signers have signed. */
const isLastSigner = (signers: Signer[], s: Signer) =>
  signers.every((other) => other === s || other.status === "SIGNED");

/** Records the response of a signer on paper, or through a provider that sends no events. */
function SignerActions({ dealId, signer: s, isLastSigner }: { dealId: string; signer: Signer; isLastSigner: boolean }) {
  const [view] = useGraphMutation(RecordViewingDocument);
  const [sign] = useGraphMutation(RecordSignatureDocument);
  const [decline] = useGraphMutation(RecordRefusalDocument);
  const documents = useQuery({ ...graphQuery(DealDocumentsDocument, { id: dealId }), enabled: isLastSigner });
  const uploaded = (documents.data?.deal?.documents?.nodes ?? []).map((d) => ({ value: d.id, label: d.name }));
  if (s.status !== "PENDING" && s.status !== "VIEWED") {
    return none;
  }
  return (
    <Group gap={6}>
      {s.status === "PENDING" && (
        <ActionButton
          label="Mark viewed"
          name={`Mark viewed: ${s.name}`}
          run={() => showOutcome(view({ id: s.id }), `Marked as viewed by ${s.name}.`)}
        />
      )}
      <FormDialog
        label="Mark signed"
        name={`Mark signed: ${s.name}`}
        size="xs"
        variant="default"
        fields={[
          { name: "at", label: "On", kind: "date", hint: "Default: now" },
          ...(isLastSigner
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
                  label: "Link to signed document",
                  hint: "If stored elsewhere",
                } satisfies FormField,
              ]
            : []),
        ]}
        submitLabel="Record signature"
        save={async (input) => {
          const { problem } = await sign({ id: s.id, input });
          if (!problem) {
            showSuccess(`Signature of ${s.name} recorded.`);
          }
          return problem;
        }}
      />
      <FormDialog
        label="Mark declined"
        name={`Mark declined: ${s.name}`}
        size="xs"
        variant="default"
        fields={[{ name: "reason", label: "Reason given", kind: "long" }]}
        submitLabel="Record decline"
        save={async (input) => {
          const { problem } = await decline({ id: s.id, input });
          if (!problem) {
            showSuccess(`Marked as declined by ${s.name}.`);
          }
          return problem;
        }}
      />
    </Group>
  );
}
