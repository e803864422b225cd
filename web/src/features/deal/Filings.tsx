import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { day, none, useZone } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { StaticTable } from "../../components/StaticTable";
import type { Column } from "../../components/table";
import { graphQuery } from "../../gql/client";
import {
  CreateUccFilingDocument,
  DealUccFilingsDocument,
  type DealUccFilingsQuery,
  LapseUccFilingDocument,
  type NewUccFiling,
  TerminateUccFilingDocument,
  type UccFilingFieldsFragment,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { FilingActions } from "./FilingActions";
import { type Term, termOf, typeNames } from "./filing";

type DealWithFilings = NonNullable<DealUccFilingsQuery["deal"]>;
type Statement = NonNullable<DealWithFilings["uccFilings"]>["nodes"][number];

/** The UCC financing statements on the merchant's receivables, with their amendments. */
export default function Filings({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealUccFilingsDocument, { id }));
  const can = useCan();
  const canWrite = can("compliance:write");
  return (
    <Loaded noun="filings" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => {
        const statements = (deal.uccFilings?.nodes ?? []).filter((f) => f.type === "UCC1");
        const hasActive = statements.some((f) => ["DRAFT", "SUBMITTED", "ACCEPTED"].includes(f.status));
        return (
          <Stack>
            {!hasActive && (
              <Group justify="space-between" align="flex-start">
                <Text size="sm" c="dimmed">
                  {statements.length === 0
                    ? "No filings for this deal. A financing statement is drafted when the deal is funded."
                    : "No active or pending financing statement."}
                </Text>
                {canWrite && <DraftFiling deal={deal} />}
              </Group>
            )}
            {statements.map((f) => (
              <StatementSection key={f.id} statement={f} dealId={id} canWrite={canWrite} />
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Drafts a financing statement. Default filing office and collateral come from the merchant. */
function DraftFiling({ deal }: { deal: DealWithFilings }) {
  const [create] = useGraphMutation(CreateUccFilingDocument);
  const state = deal.merchant?.stateOfIncorporation ?? deal.merchant?.state;
  const fields: FormField[] = [
    {
      name: "jurisdiction",
      label: "State",
      required: !state,
      hint: state
        ? `Default: ${state}, the state of the merchant`
        : "Two letters; the state of the merchant is not on file",
    },
    { name: "provider", label: "Filed through", hint: "Default: manual" },
    { name: "collateral", label: "Collateral", kind: "long", hint: "Default: all present and future receivables" },
  ];
  return (
    <FormDialog
      label="Draft financing statement"
      fields={fields}
      submitLabel="Save draft"
      save={async (changes) => {
        const { problem } = await create({ input: { ...changes, dealId: deal.id, type: "UCC1" } as NewUccFiling });
        if (!problem) {
          showSuccess("Financing statement drafted. Submit it to the filing office next.");
        }
        return problem;
      }}
    />
  );
}

function StatementSection({
  statement: f,
  dealId,
  canWrite,
}: {
  statement: Statement;
  dealId: string;
  canWrite: boolean;
}) {
  const term = termOf(f, useZone().today());
  const amendments = f.amendments ?? [];
  return (
    <Section
      title={`${typeNames[f.type]}${f.fileNumber ? `, ${f.fileNumber}` : ""}`}
      actions={
        <Group gap="xs">
          <StateBadge state={f.status} />
          {canWrite && <FilingActions filing={f} />}
          {canWrite && f.status === "ACCEPTED" && <DraftAmendment statement={f} dealId={dealId} term={term} />}
          {canWrite && f.status === "ACCEPTED" && <EndStatement statement={f} term={term} />}
        </Group>
      }
    >
      {term && <LapseNotice term={term} />}
      <Fields label={`Filing ${f.id}`} items={statementFields(f)} />
      {amendments.length > 0 && (
        <StaticTable
          label={`Amendments of filing ${f.id}`}
          columns={canWrite ? [...columns, actionsColumn] : columns}
          rows={amendments}
          rowKey={(a) => a.id}
        />
      )}
    </Section>
  );
}

/** Shows when a statement lapses, with a warning once it can be continued. */
function LapseNotice({ term: { lapses, continuationOpens, phase } }: { term: Term }) {
  if (phase === "far") {
    return (
      <Text size="sm">
        Active until {day(lapses)}. Continuation opens {day(continuationOpens)}.
      </Text>
    );
  }
  return (
    <Alert variant="default" icon={<TriangleAlert aria-hidden />} role="note">
      {phase === "near"
        ? `Lapses on ${day(lapses)}. Draft a continuation to keep the lien.`
        : `Expired on ${day(lapses)}. Mark it as lapsed, and draft a new statement to keep the lien.`}
    </Alert>
  );
}

function statementFields(f: UccFilingFieldsFragment): [string, ReactNode][] {
  return [
    ["State", f.jurisdiction],
    ["Filed through", f.provider === "MANUAL" ? "Manual" : f.provider],
    ...(f.externalId ? [["Provider reference", f.externalId] as [string, ReactNode]] : []),
    ["File number", f.fileNumber],
    ["Drafted", <Instant key="drafted" at={f.createdAt} />],
    [f.status === "SUBMITTED" ? "Submitted" : "Filed", <Instant key="filed" at={f.filedAt} />],
    ["Lapses", day(f.lapsesAt)],
    ["Collateral", f.collateral],
    ...(f.rejectionReason ? [["Rejection reason", f.rejectionReason] as [string, ReactNode]] : []),
  ];
}

const columns: Column<UccFilingFieldsFragment, never>[] = [
  { title: "UCC-3", cell: (a) => typeNames[a.type] },
  { title: "Status", cell: (a) => <StateBadge state={a.status} /> },
  { title: "File number", cell: (a) => a.fileNumber ?? none },
  { title: "Filed", nowrap: true, cell: (a) => <Instant at={a.filedAt} date /> },
  { title: "Details", cell: (a) => a.rejectionReason ?? a.collateral ?? none },
];

const actionsColumn: Column<UccFilingFieldsFragment, never> = {
  title: "Actions",
  cell: (a) => <FilingActions filing={a} />,
};

/** Drafts a UCC-3. A continuation is offered only within its legal window. */
function DraftAmendment({
  statement: f,
  dealId,
  term,
}: {
  statement: Statement;
  dealId: string;
  term: Term | undefined;
}) {
  const [create] = useGraphMutation(CreateUccFilingDocument);
  const kinds = (["UCC3_CONTINUATION", "UCC3_TERMINATION", "UCC3_AMENDMENT", "UCC3_ASSIGNMENT"] as const).filter(
    (type) => type !== "UCC3_CONTINUATION" || term?.phase === "near",
  );
  return (
    <FormDialog
      label="Draft UCC-3"
      name={`Draft UCC-3 for filing ${f.id}`}
      size="xs"
      variant="default"
      fields={[
        {
          name: "type",
          label: "Type",
          kind: "choice",
          options: kinds.map((value) => ({ value, label: typeNames[value] })),
          required: true,
        },
        { name: "collateral", label: "New collateral", kind: "long", hint: "For amendments only" },
      ]}
      submitLabel="Save draft"
      save={async (changes) => {
        const { problem } = await create({ input: { ...changes, dealId, amendsId: f.id } as NewUccFiling });
        if (!problem) {
          showSuccess("UCC-3 drafted. It takes effect once the filing office accepts it.");
        }
        return problem;
      }}
    />
  );
}

/** Marks a statement as no longer active, without a termination filing. */
function EndStatement({ statement: { id }, term }: { statement: Statement; term: Term | undefined }) {
  const [terminate] = useGraphMutation(TerminateUccFilingDocument);
  const [lapse] = useGraphMutation(LapseUccFilingDocument);
  return (
    <>
      {term?.phase === "over" && (
        <ConfirmButton
          label="Mark lapsed"
          name={`Mark lapsed: filing ${id}`}
          size="xs"
          consequence="This statement no longer protects the lien."
          run={() => showOutcome(lapse({ id }), "Statement marked as lapsed.")}
        />
      )}
      <ConfirmButton
        label="Mark terminated"
        name={`Mark terminated: filing ${id}`}
        size="xs"
        danger
        consequence="Marks the statement as terminated by a filing made outside this system. To terminate it here, draft a termination."
        run={() => showOutcome(terminate({ id }), "Statement marked as terminated.")}
      />
    </>
  );
}
