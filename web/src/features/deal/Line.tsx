import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ActButton } from "../../components/ActButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Figures } from "../../components/Figures";
import { FormDialog } from "../../components/FormDialog";
import { amount, cents, money, rate, sum } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { report, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CloseCreditFacilityDocument,
  CreateCreditFacilityDocument,
  DealLineDocument,
  type DealLineQuery,
  type NewCreditFacility,
  type NewDraw,
  RequestDrawDocument,
  ResumeCreditFacilityDocument,
  SuspendCreditFacilityDocument,
  UpdateCreditFacilityDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { Draws } from "./Draws";

type OfDeal = NonNullable<DealLineQuery["deal"]>;
export type CreditLine = NonNullable<OfDeal["creditFacilities"]>["nodes"][number];

const limitField: FormField = {
  name: "creditLimit",
  label: "Limit",
  kind: "money",
  required: true,
  hint: "Most that may be drawn and unpaid at a time",
};
const factorField: FormField = { name: "factorRate", label: "Factor of a draw", kind: "rate" };
const askedBy: FormField = { name: "requestedBy", label: "Who asks for it" };

/** Line is the line of credit of a deal: what there is left of it, and each draw. */
export default function Line({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealLineDocument, { id }));
  const can = useCan();
  const writes = can("credit-facilities:write");
  return (
    <Loaded what="line of credit" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => {
        const line = deal.creditFacilities?.nodes[0];
        if (line) {
          return <OneLine deal={deal} line={line} writes={writes} />;
        }
        const priced = deal.fundedAmount !== null && deal.paybackAmount !== null;
        const over = ["WITHDRAWN", "CLOSED", "RENEWED"].includes(deal.state);
        return (
          <Group justify="space-between" align="flex-start">
            <Text size="sm" c="dimmed" maw={640}>
              {over
                ? "This deal has no line of credit, and is over."
                : priced
                  ? "This deal has no line of credit yet. What it funds is the first draw; further ones are asked for once it is funded."
                  : "The deal has to be priced before its line of credit is opened: what it funds is the first draw."}
            </Text>
            {writes && priced && !over && <Open deal={deal} />}
          </Group>
        );
      }}
    </Loaded>
  );
}

function Open({ deal }: { deal: OfDeal }) {
  const [create] = useAct(CreateCreditFacilityDocument);
  return (
    <FormDialog
      label="Open the line"
      fields={[limitField, { ...factorField, hint: `${rate(deal.factorRate)} unless given` }, askedBy]}
      submitLabel="Open line"
      save={async (changes) => {
        const { problem } = await create({ input: { ...changes, dealId: deal.id } as NewCreditFacility });
        if (!problem) {
          tell("The line is open. It can be drawn on once the deal is funded.");
        }
        return problem;
      }}
    />
  );
}

function OneLine({ deal, line, writes }: { deal: OfDeal; line: CreditLine; writes: boolean }) {
  const draws = line.draws ?? [];
  const waiting = sum(draws.filter((d) => ["REQUESTED", "APPROVED"].includes(d.status)).map((d) => d.amount));
  const drawn = amount(cents(line.creditLimit) - cents(line.availableRoom) - cents(waiting));
  const shared = (deal.participations ?? []).length > 0;
  const open = line.status === "ACTIVE" && deal.state === "FUNDED";
  return (
    <Stack>
      <Figures
        label="Line of credit"
        of={[
          ["Limit", money(line.creditLimit)],
          ["Drawn and unpaid", money(drawn)],
          ["Asked for", money(waiting)],
          ["Left to draw", money(line.availableRoom)],
          ["Factor", rate(line.factorRate)],
        ]}
      />
      <Section
        title="Draws"
        actions={
          <Group gap="xs">
            <StateBadge state={line.status} />
            {writes && open && <Ask of={line} />}
            {writes && <Acts line={line} deal={deal} />}
          </Group>
        }
      >
        <Text size="sm" c="dimmed">
          {standing(deal, line, open, shared)}
        </Text>
        <Draws of={draws} open={open && !shared} />
      </Section>
    </Stack>
  );
}

/** standing says what can be done with the line now, or what keeps it from being drawn on. */
function standing(deal: OfDeal, line: CreditLine, open: boolean, shared: boolean): string {
  if (line.status === "CLOSED") {
    return "The line is closed: what was drawn is collected, and nothing more can be drawn.";
  }
  if (shared) {
    return "Syndicators take part in this deal: nothing further can be drawn on it, since their shares were sold for what it funded.";
  }
  if (open) {
    return "A draw takes its room when it is asked for. Once approved it is paid out, and its collection is scheduled.";
  }
  return deal.state === "FUNDED"
    ? "The line is suspended: nothing can be drawn until it is resumed."
    : "The line can be drawn on while its deal is funded. Its first draw is what the deal funds.";
}

function Ask({ of: line }: { of: CreditLine }) {
  const [request] = useAct(RequestDrawDocument);
  const fields: FormField[] = [
    {
      name: "amount",
      label: "Amount",
      kind: "money",
      required: true,
      hint: `At most ${money(line.availableRoom)}`,
    },
    { name: "feeAmount", label: "Fee kept back of it", kind: "money" },
    askedBy,
  ];
  return (
    <FormDialog
      label="Ask for a draw"
      size="xs"
      fields={fields}
      submitLabel="Ask for draw"
      save={async (changes) => {
        const { data, problem } = await request({ facilityId: line.id, input: changes as NewDraw });
        if (!problem) {
          tell(`A draw of ${money(data.requestDraw?.amount)} waits to be judged.`);
        }
        return problem;
      }}
    />
  );
}

function Acts({ line, deal }: { line: CreditLine; deal: OfDeal }) {
  const [update] = useAct(UpdateCreditFacilityDocument);
  const [suspend] = useAct(SuspendCreditFacilityDocument);
  const [resume] = useAct(ResumeCreditFacilityDocument);
  const [close] = useAct(CloseCreditFacilityDocument);
  const { id } = line;
  if (line.status === "CLOSED") {
    return null;
  }
  return (
    <>
      <FormDialog
        label="Change"
        title="Change the line"
        size="xs"
        variant="default"
        fields={[limitField, { ...factorField, hint: "Of draws that are asked for from now on" }]}
        initial={line}
        submitLabel="Save"
        save={async (input) => {
          const { problem } = await update({ id, input });
          if (!problem) {
            tell("The line is changed.");
          }
          return problem;
        }}
      />
      {line.status === "ACTIVE" && (
        <ActButton
          label="Suspend"
          name="Suspend the line"
          run={() => report(suspend({ id }), "The line is suspended: nothing can be drawn until it is resumed.")}
        />
      )}
      {line.status === "SUSPENDED" && deal.state === "FUNDED" && (
        <ActButton
          label="Resume"
          name="Resume the line"
          run={() => report(resume({ id }), "The line can be drawn on again.")}
        />
      )}
      {["FUNDED", "DEFAULTED"].includes(deal.state) && (
        <ConfirmButton
          label="Close"
          name="Close the line"
          size="xs"
          danger
          consequence="Nothing more can be drawn, and draws that are not paid out are declined. What was drawn is collected on. This cannot be taken back."
          run={() => report(close({ id }), "The line is closed.")}
        />
      )}
    </>
  );
}
