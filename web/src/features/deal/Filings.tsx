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
import { Sheet } from "../../components/Sheet";
import { StateBadge } from "../../components/StateBadge";
import type { Column } from "../../components/table";
import { report, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CreateUccFilingDocument,
  DealFilingsDocument,
  type DealFilingsQuery,
  type FiledFragment,
  LapseUccFilingDocument,
  type NewUccFiling,
  TerminateUccFilingDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { FilingActs } from "./FilingActs";
import { type Term, termOf, typeNames } from "./filing";

type OfDeal = NonNullable<DealFilingsQuery["deal"]>;
type Statement = NonNullable<OfDeal["uccFilings"]>["nodes"][number];

/** Filings shows the claim on the merchant's receivables as it is on public record, and what is filed about it. */
export default function Filings({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealFilingsDocument, { id }));
  const can = useCan();
  const writes = can("compliance:write");
  return (
    <Loaded what="filings" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => {
        const statements = (deal.uccFilings?.nodes ?? []).filter((f) => f.type === "UCC1");
        const live = statements.some((f) => ["DRAFT", "SUBMITTED", "ACCEPTED"].includes(f.status));
        return (
          <Stack>
            {!live && (
              <Group justify="space-between" align="flex-start">
                <Text size="sm" c="dimmed">
                  {statements.length === 0
                    ? "Nothing was filed for this deal. A financing statement is drafted when the deal is funded."
                    : "No financing statement is in force or under way."}
                </Text>
                {writes && <Draft deal={deal} />}
              </Group>
            )}
            {statements.map((f) => (
              <OneStatement key={f.id} of={f} dealId={id} writes={writes} />
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Draft drafts a financing statement. Where it is filed and what secures the claim follow from the merchant unless given. */
function Draft({ deal }: { deal: OfDeal }) {
  const [create] = useAct(CreateUccFilingDocument);
  const state = deal.merchant?.stateOfIncorporation ?? deal.merchant?.state;
  const fields: FormField[] = [
    {
      name: "jurisdiction",
      label: "State",
      required: !state,
      hint: state ? `${state} unless given, that of the merchant` : "Two letters; that of the merchant is not known",
    },
    { name: "provider", label: "Filed through", hint: "By hand unless given" },
    { name: "collateral", label: "Collateral", kind: "long", hint: "All present and future receivables unless given" },
  ];
  return (
    <FormDialog
      label="Draft a financing statement"
      fields={fields}
      submitLabel="Keep draft"
      save={async (changes) => {
        const { problem } = await create({ input: { ...changes, dealId: deal.id, type: "UCC1" } as NewUccFiling });
        if (!problem) {
          tell("The financing statement is drafted. Send it to the office next.");
        }
        return problem;
      }}
    />
  );
}

function OneStatement({ of: f, dealId, writes }: { of: Statement; dealId: string; writes: boolean }) {
  const term = termOf(f, useZone().today());
  const amendments = f.amendments ?? [];
  return (
    <Section
      title={`${typeNames[f.type]}${f.fileNumber ? `, ${f.fileNumber}` : ""}`}
      actions={
        <Group gap="xs">
          <StateBadge state={f.status} />
          {writes && <FilingActs of={f} />}
          {writes && f.status === "ACCEPTED" && <Amend of={f} dealId={dealId} term={term} />}
          {writes && f.status === "ACCEPTED" && <End of={f} term={term} />}
        </Group>
      }
    >
      {term && <Lapse of={term} />}
      <Fields label={`Filing ${f.id}`} of={said(f)} />
      {amendments.length > 0 && (
        <Sheet
          label={`Amendments of filing ${f.id}`}
          columns={writes ? [...columns, acts] : columns}
          rows={amendments}
          rowKey={(a) => a.id}
        />
      )}
    </Section>
  );
}

/** Lapse says until when a statement holds, and warns while there is something to do about it. */
function Lapse({ of: { lapses, opens, is } }: { of: Term }) {
  if (is === "far") {
    return (
      <Text size="sm">
        In force until {day(lapses)}. It can be continued from {day(opens)} on.
      </Text>
    );
  }
  return (
    <Alert variant="default" icon={<TriangleAlert aria-hidden />} role="note">
      {is === "near"
        ? `Lapses on ${day(lapses)}. Draft a continuation now if the claim is to last.`
        : `Ran out on ${day(lapses)}. Note it as lapsed, and draft another statement if the claim is to last.`}
    </Alert>
  );
}

function said(f: FiledFragment): [string, ReactNode][] {
  return [
    ["State", f.jurisdiction],
    ["Filed through", f.provider === "MANUAL" ? "By hand" : f.provider],
    ...(f.externalId ? [["Their number", f.externalId] as [string, ReactNode]] : []),
    ["File number", f.fileNumber],
    ["Drafted", <Instant key="drafted" at={f.createdAt} />],
    [f.status === "SUBMITTED" ? "Sent" : "Filed", <Instant key="filed" at={f.filedAt} />],
    ["Lapses", day(f.lapsesAt)],
    ["Collateral", f.collateral],
    ...(f.rejectionReason ? [["Sent back because", f.rejectionReason] as [string, ReactNode]] : []),
  ];
}

const columns: Column<FiledFragment, never>[] = [
  { title: "UCC-3", cell: (a) => typeNames[a.type] },
  { title: "Status", cell: (a) => <StateBadge state={a.status} /> },
  { title: "File number", cell: (a) => a.fileNumber ?? none },
  { title: "Filed", whole: true, cell: (a) => <Instant at={a.filedAt} date /> },
  { title: "What", cell: (a) => a.rejectionReason ?? a.collateral ?? none },
];

const acts: Column<FiledFragment, never> = { title: "To do", cell: (a) => <FilingActs of={a} /> };

/** Amend drafts a UCC-3. A continuation is offered only while the law takes it. */
function Amend({ of: f, dealId, term }: { of: Statement; dealId: string; term: Term | undefined }) {
  const [create] = useAct(CreateUccFilingDocument);
  const kinds = (["UCC3_CONTINUATION", "UCC3_TERMINATION", "UCC3_AMENDMENT", "UCC3_ASSIGNMENT"] as const).filter(
    (type) => type !== "UCC3_CONTINUATION" || term?.is === "near",
  );
  return (
    <FormDialog
      label="Draft a UCC-3"
      name={`Draft a UCC-3 about filing ${f.id}`}
      size="xs"
      variant="default"
      fields={[
        {
          name: "type",
          label: "Kind",
          kind: "choice",
          options: kinds.map((value) => ({ value, label: typeNames[value] })),
          required: true,
        },
        { name: "collateral", label: "Collateral from then on", kind: "long", hint: "Of an amendment alone" },
      ]}
      submitLabel="Keep draft"
      save={async (changes) => {
        const { problem } = await create({ input: { ...changes, dealId, amendsId: f.id } as NewUccFiling });
        if (!problem) {
          tell("The UCC-3 is drafted. It takes effect once the office has accepted it.");
        }
        return problem;
      }}
    />
  );
}

/** End notes that a statement is no longer in force, where no termination says so. */
function End({ of: { id }, term }: { of: Statement; term: Term | undefined }) {
  const [terminate] = useAct(TerminateUccFilingDocument);
  const [lapse] = useAct(LapseUccFilingDocument);
  return (
    <>
      {term?.is === "over" && (
        <ConfirmButton
          label="Lapsed"
          name={`Lapsed: filing ${id}`}
          size="xs"
          consequence="The claim is no longer on public record by this statement."
          run={() => report(lapse({ id }), "The statement is noted as lapsed.")}
        />
      )}
      <ConfirmButton
        label="Ended elsewhere"
        name={`Ended elsewhere: filing ${id}`}
        size="xs"
        danger
        consequence="The statement is noted as terminated, by a filing that is not kept here. To end it from here, draft a termination."
        run={() => report(terminate({ id }), "The statement is noted as terminated.")}
      />
    </>
  );
}
