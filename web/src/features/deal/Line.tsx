import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ActionButton } from "../../components/ActionButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Figures } from "../../components/Figures";
import { FormDialog } from "../../components/FormDialog";
import { amount, cents, money, rate, sum } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  CloseCreditFacilityDocument,
  CreateCreditFacilityDocument,
  DealCreditFacilityDocument,
  type DealCreditFacilityQuery,
  type NewCreditFacility,
  type NewDraw,
  RequestDrawDocument,
  ResumeCreditFacilityDocument,
  SuspendCreditFacilityDocument,
  UpdateCreditFacilityDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { Draws } from "./Draws";

type DealWithLine = NonNullable<DealCreditFacilityQuery["deal"]>;
export type CreditLine = NonNullable<DealWithLine["creditFacilities"]>["nodes"][number];

const limitField: FormField = {
  name: "creditLimit",
  label: "Credit limit",
  kind: "money",
  required: true,
  hint: "Maximum outstanding at any time",
};
const factorField: FormField = { name: "factorRate", label: "Factor rate for draws", kind: "rate" };
const requestedByField: FormField = { name: "requestedBy", label: "Requested by" };

/** A deal's line of credit: what is available, and its draws. */
export default function Line({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealCreditFacilityDocument, { id }));
  const can = useCan();
  const canWrite = can("credit-facilities:write");
  return (
    <Loaded noun="line of credit" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => {
        const line = deal.creditFacilities?.nodes[0];
        if (line) {
          return <LineDetails deal={deal} line={line} canWrite={canWrite} />;
        }
        const priced = deal.fundedAmount !== null && deal.paybackAmount !== null;
        const ended = ["WITHDRAWN", "CLOSED", "RENEWED"].includes(deal.state);
        return (
          <Group justify="space-between" align="flex-start">
            <Text size="sm" c="dimmed" maw={640}>
              {ended
                ? "No line of credit. This deal has ended."
                : priced
                  ? "No line of credit yet. Funding the deal is the first draw; request more once it is funded."
                  : "Price the deal before opening its line of credit: funding it is the first draw."}
            </Text>
            {canWrite && priced && !ended && <OpenLine deal={deal} />}
          </Group>
        );
      }}
    </Loaded>
  );
}

function OpenLine({ deal }: { deal: DealWithLine }) {
  const [create] = useGraphMutation(CreateCreditFacilityDocument);
  return (
    <FormDialog
      label="Open line"
      fields={[limitField, { ...factorField, hint: `Default: ${rate(deal.factorRate)}` }, requestedByField]}
      submitLabel="Open line"
      save={async (changes) => {
        const { problem } = await create({ input: { ...changes, dealId: deal.id } as NewCreditFacility });
        if (!problem) {
          showSuccess("Line opened. It can be drawn once the deal is funded.");
        }
        return problem;
      }}
    />
  );
}

function LineDetails({ deal, line, canWrite }: { deal: DealWithLine; line: CreditLine; canWrite: boolean }) {
  const draws = line.draws ?? [];
  const pending = sum(draws.filter((d) => ["REQUESTED", "APPROVED"].includes(d.status)).map((d) => d.amount));
  const drawn = amount(cents(line.creditLimit) - cents(line.availableRoom) - cents(pending));
  const syndicated = (deal.participations ?? []).length > 0;
  const open = line.status === "ACTIVE" && deal.state === "FUNDED";
  return (
    <Stack>
      <Figures
        label="Line of credit"
        items={[
          ["Credit limit", money(line.creditLimit)],
          ["Outstanding", money(drawn)],
          ["Requested", money(pending)],
          ["Available", money(line.availableRoom)],
          ["Factor rate", rate(line.factorRate)],
        ]}
      />
      <Section
        title="Draws"
        actions={
          <Group gap="xs">
            <StateBadge state={line.status} />
            {canWrite && open && <RequestDraw line={line} />}
            {canWrite && <LineActions line={line} deal={deal} />}
          </Group>
        }
      >
        <Text size="sm" c="dimmed">
          {statusText(deal, line, open, syndicated)}
        </Text>
        <Draws draws={draws} open={open && !syndicated} />
      </Section>
    </Stack>
  );
}

/** Says whether the line can be drawn on, and if not, why. */
function statusText(deal: DealWithLine, line: CreditLine, open: boolean, syndicated: boolean): string {
  if (line.status === "CLOSED") {
    return "This line is closed. Outstanding draws are still collected.";
  }
  if (syndicated) {
    return "This deal is syndicated, so no further draws are possible.";
  }
  if (open) {
    return "A requested draw reduces available credit. Once approved, fund it to schedule its payments.";
  }
  return deal.state === "FUNDED"
    ? "Line suspended. Resume it to allow draws."
    : "Draws are available while the deal is funded. Funding the deal is the first draw.";
}

function RequestDraw({ line }: { line: CreditLine }) {
  const [request] = useGraphMutation(RequestDrawDocument);
  const fields: FormField[] = [
    {
      name: "amount",
      label: "Amount",
      kind: "money",
      required: true,
      hint: `Up to ${money(line.availableRoom)}`,
    },
    { name: "feeAmount", label: "Fee withheld", kind: "money" },
    requestedByField,
  ];
  return (
    <FormDialog
      label="Request draw"
      size="xs"
      fields={fields}
      submitLabel="Request draw"
      save={async (changes) => {
        const { data, problem } = await request({ facilityId: line.id, input: changes as NewDraw });
        if (!problem) {
          showSuccess(`A draw of ${money(data.requestDraw?.amount)} is waiting for approval.`);
        }
        return problem;
      }}
    />
  );
}

function LineActions({ line, deal }: { line: CreditLine; deal: DealWithLine }) {
  const [update] = useGraphMutation(UpdateCreditFacilityDocument);
  const [suspend] = useGraphMutation(SuspendCreditFacilityDocument);
  const [resume] = useGraphMutation(ResumeCreditFacilityDocument);
  const [close] = useGraphMutation(CloseCreditFacilityDocument);
  const { id } = line;
  if (line.status === "CLOSED") {
    return null;
  }
  return (
    <>
      <FormDialog
        label="Edit"
        title="Edit line"
        size="xs"
        variant="default"
        fields={[limitField, { ...factorField, hint: "For new draws" }]}
        initial={line}
        submitLabel="Save"
        save={async (input) => {
          const { problem } = await update({ id, input });
          if (!problem) {
            showSuccess("Line saved.");
          }
          return problem;
        }}
      />
      {line.status === "ACTIVE" && (
        <ActionButton
          label="Suspend"
          name="Suspend line"
          run={() => showOutcome(suspend({ id }), "Line suspended. Resume it to allow draws.")}
        />
      )}
      {line.status === "SUSPENDED" && deal.state === "FUNDED" && (
        <ActionButton label="Resume" name="Resume line" run={() => showOutcome(resume({ id }), "Line resumed.")} />
      )}
      {["FUNDED", "DEFAULTED"].includes(deal.state) && (
        <ConfirmButton
          label="Close"
          name="Close line"
          size="xs"
          danger
          consequence="No more draws, and pending draws are declined. Outstanding draws are still collected. This cannot be undone."
          run={() => showOutcome(close({ id }), "Line closed.")}
        />
      )}
    </>
  );
}
