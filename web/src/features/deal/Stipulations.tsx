import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ActionButton } from "../../components/ActionButton";
import { FormDialog, reasonField } from "../../components/FormDialog";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import type { FormField } from "../../components/RecordForm";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  ApproveStipulationDocument,
  DealStipulationsDocument,
  type DealStipulationsQuery,
  DismissStipulationDocument,
  type NewStipulation,
  ReceiveStipulationDocument,
  RejectStipulationDocument,
  ReopenStipulationDocument,
  RequestStipulationDocument,
  StipulationOptionsDocument,
  type StipulationReason,
  WaiveStipulationDocument,
} from "../../gql/documents";
import { type Outcome, showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { unfunded } from "../deals/states";

type DealWithStipulations = NonNullable<DealStipulationsQuery["deal"]>;
type Stipulation = NonNullable<DealWithStipulations["stipulations"]>[number];

/** Lists a deal's stipulations with their actions. */
export default function Stipulations({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealStipulationsDocument, { id }));
  const can = useCan();
  return (
    <Loaded noun="stipulations" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => (
        <Stack>
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {summary(deal.stipulations ?? [])}
            </Text>
            {can("deals:write") && unfunded.includes(deal.state) && <RequestStipulation deal={deal} />}
          </Group>
          {deal.stipulations && deal.stipulations.length > 0 && <StipulationTable stipulations={deal.stipulations} />}
        </Stack>
      )}
    </Loaded>
  );
}

function summary(all: Stipulation[]): string {
  const open = all.filter((s) => ["REQUESTED", "RECEIVED", "REJECTED"].includes(s.status));
  if (all.length === 0) {
    return "No stipulations.";
  }
  return open.length === 0 ? "All stipulations are complete." : `${open.length} of ${all.length} outstanding.`;
}

function StipulationTable({ stipulations }: { stipulations: Stipulation[] }) {
  return (
    <SmallTable
      label="Stipulations"
      verticalSpacing={6}
      highlightOnHover
      region="Table of stipulations"
      minWidth={720}
      head={
        <>
          <Table.Th>Stipulation</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Required</Table.Th>
          <Table.Th>Updated</Table.Th>
          <Table.Th>Actions</Table.Th>
        </>
      }
    >
      {stipulations.map((s) => (
        <Table.Tr key={s.id}>
          <Table.Td>
            <Text size="sm" fw={500}>
              {s.months ? `${s.title} (${s.months} months)` : s.title}
            </Text>
            {reasonOf(s) && (
              <Text size="xs" c="dimmed">
                {reasonOf(s)}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <StateBadge state={s.status} />
          </Table.Td>
          <Table.Td>{s.required ? (s.waivable ? "Can be waived" : "Required") : "Optional"}</Table.Td>
          <Table.Td>
            <Instant at={s.approvedAt ?? s.waivedAt ?? s.receivedAt} />
          </Table.Td>
          <Table.Td>
            <StipulationActions stipulation={s} />
          </Table.Td>
        </Table.Tr>
      ))}
    </SmallTable>
  );
}

/** Why a stipulation has its status, as staff entered it. */
function reasonOf(s: Stipulation): string | null {
  return s.status === "REJECTED"
    ? s.rejectedReason
    : ["WAIVED", "NOT_APPLICABLE"].includes(s.status)
      ? s.waivedReason
      : null;
}

function StipulationActions({ stipulation: s }: { stipulation: Stipulation }) {
  const can = useCan();
  const [receive] = useGraphMutation(ReceiveStipulationDocument);
  const [approve] = useGraphMutation(ApproveStipulationDocument);
  const [reject] = useGraphMutation(RejectStipulationDocument);
  const [waive] = useGraphMutation(WaiveStipulationDocument);
  const [dismiss] = useGraphMutation(DismissStipulationDocument);
  const [reopen] = useGraphMutation(ReopenStipulationDocument);
  const { id, status } = s;
  const open = status === "REQUESTED" || status === "RECEIVED" || status === "REJECTED";
  const done = ["REJECTED", "WAIVED", "NOT_APPLICABLE"].includes(status);
  return (
    <Group gap={6}>
      {status === "REQUESTED" && can("deals:write") && (
        <ActionButton
          label="Mark received"
          name={`Mark received: ${s.title}`}
          run={() => showOutcome(receive({ id, input: {} }), `${s.title}: received.`)}
        />
      )}
      {status === "RECEIVED" && can("stipulations.approve") && (
        <>
          <ActionButton
            label="Approve"
            name={`Approve: ${s.title}`}
            variant="filled"
            run={() => showOutcome(approve({ id }), `${s.title}: approved.`)}
          />
          <ReasonButton stipulation={s} label="Reject" done="rejected" run={(input) => reject({ id, input })} />
        </>
      )}
      {open && s.waivable && can("stipulations.waive") && (
        <>
          <ReasonButton stipulation={s} label="Waive" done="waived" run={(input) => waive({ id, input })} />
          <ReasonButton
            stipulation={s}
            label="Not applicable"
            done="marked as not applicable"
            run={(input) => dismiss({ id, input })}
          />
        </>
      )}
      {done && can("deals:write") && (
        <ActionButton
          label="Request again"
          name={`Request again: ${s.title}`}
          run={() => showOutcome(reopen({ id }), `${s.title}: requested again.`)}
        />
      )}
    </Group>
  );
}

/** An action that asks for a reason. */
function ReasonButton({
  stipulation: s,
  label,
  done,
  run,
}: {
  stipulation: Stipulation;
  label: string;
  done: string;
  run: (input: StipulationReason) => Promise<Outcome<unknown>>;
}) {
  return (
    <FormDialog
      label={label}
      name={`${label}: ${s.title}`}
      size="xs"
      variant="default"
      fields={[reasonField]}
      submitLabel={label}
      save={async (changes) => {
        const { problem } = await run(changes as StipulationReason);
        if (!problem) {
          showSuccess(`${s.title}: ${done}.`);
        }
        return problem;
      }}
    />
  );
}

const requestFields: FormField[] = [
  { name: "title", label: "Title", hint: "Instead of one from the list" },
  { name: "months", label: "Months of statements", kind: "integer" },
  { name: "notNeeded", label: "Not required for funding", kind: "switch" },
  { name: "notWaivable", label: "Cannot be waived", kind: "switch" },
];

/** Requests a stipulation, from a template or any other. */
function RequestStipulation({ deal }: { deal: DealWithStipulations }) {
  const result = useQuery(graphQuery(StipulationOptionsDocument, { product: deal.productType }));
  const [request] = useGraphMutation(RequestStipulationDocument);
  const requestedCodes = new Set(deal.stipulations?.map((s) => s.code));
  const templates = (result.data?.stipulationTemplates ?? []).filter((t) => !requestedCodes.has(t.code));
  const fields: FormField[] =
    templates.length === 0
      ? requestFields
      : [
          {
            name: "template",
            label: "From the list",
            kind: "choice",
            options: templates.map((t) => ({ value: t.id, label: t.title })),
          },
          ...requestFields,
        ];
  return (
    <FormDialog
      label="Request stipulation"
      fields={fields}
      submitLabel="Request"
      save={async ({ template, notNeeded, notWaivable, ...changes }) => {
        const from = templates.find((t) => t.id === template);
        const input = {
          dealId: deal.id,
          title: "",
          ...(from ? { title: from.title, code: from.code, months: from.months } : {}),
          ...changes,
          required: notNeeded !== true,
          waivable: notWaivable !== true && from?.requirement !== "REQUIRED",
        } as NewStipulation;
        const { data, problem } = await request({ input });
        if (!problem) {
          showSuccess(`${data.requestStipulation?.title} requested.`);
        }
        return problem;
      }}
    />
  );
}
