import { Group, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ActionButton } from "../../components/ActionButton";
import { Fields } from "../../components/Fields";
import { Figures } from "../../components/Figures";
import { FormDialog } from "../../components/FormDialog";
import { humanize, money, none, percent } from "../../components/format";
import { Instant } from "../../components/Instant";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import {
  CreateDisclosureDocument,
  DealDisclosuresDocument,
  type DealDisclosuresQuery,
  type DealState,
  DeliverDisclosureDocument,
  type DisclosureMoment,
  SignDisclosureDocument,
} from "../../gql/documents";
import { type Outcome, showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { unfunded } from "../deals/states";
import { DealList } from "./DealList";

type Disclosure = NonNullable<NonNullable<DealDisclosuresQuery["deal"]>["disclosures"]>["nodes"][number];

/** The content of a disclosure, computed by the server. Amounts are in dollars; the rate is a percentage. */
type Computed = {
  fundingProvided: string;
  amountFinanced: string;
  recipientFunds: string;
  itemization: Item[];
  financeCharge: string;
  totalRepayment: string;
  estimatedApr: string | null;
  paymentAmount: string;
  frequency: string;
  averageMonthlyCost: string | null;
  termDays: number | null;
  prepayment: { additionalFees: boolean; discountedPayoff: string | null; windowDays: number | null };
  collateral: string;
  avoidableFees: Item[];
  brokerCompensation: string;
  priorBalancePaid: string;
};
type Item = { item: string; amount: string };

const dateFields: FormField[] = [{ name: "at", label: "On", kind: "date", hint: "Default: now" }];

/** Lists the disclosures that state law requires, and whether the merchant received them. */
export default function Disclosures({ deal: { id, state } }: { deal: { id: string; state: DealState } }) {
  const can = useCan();
  const canWrite = can("compliance:write");
  return (
    <Stack>
      {canWrite && unfunded.includes(state) && (
        <Group justify="flex-end">
          <CreateDisclosure dealId={id} />
        </Group>
      )}
      <DealList
        id={id}
        noun="disclosures"
        document={DealDisclosuresDocument}
        list={(data) => data.deal?.disclosures}
        empty="No disclosures for this deal. One is needed only where the merchant's state requires it."
      >
        {(items) => (
          <Stack>
            {items.map((d) => (
              <DisclosureSection key={d.id} disclosure={d} canWrite={canWrite} />
            ))}
          </Stack>
        )}
      </DealList>
    </Stack>
  );
}

function CreateDisclosure({ dealId }: { dealId: string }) {
  const [create] = useGraphMutation(CreateDisclosureDocument);
  return (
    <ActionButton
      label="Create disclosure"
      size="sm"
      variant="filled"
      run={async () => {
        const { data, problem } = await create({ dealId });
        if (problem) {
          showProblem(problem);
        } else {
          showSuccess(`${data.makeDisclosure?.state} disclosure created. Deliver it to the merchant.`);
        }
      }}
    />
  );
}

function DisclosureSection({ disclosure: d, canWrite }: { disclosure: Disclosure; canWrite: boolean }) {
  const [deliver] = useGraphMutation(DeliverDisclosureDocument);
  const [sign] = useGraphMutation(SignDisclosureDocument);
  const computed = d.computed as Computed;
  return (
    <Section
      title={`${d.state} disclosure ${d.id}`}
      actions={
        <Group gap="xs">
          <StateBadge state={d.status} />
          {canWrite && d.status === "DRAFT" && (
            <MarkButton
              label="Mark delivered"
              done="marked as delivered"
              run={(input) => deliver({ id: d.id, input })}
            />
          )}
          {canWrite && d.status === "DELIVERED" && (
            <MarkButton label="Mark signed" done="marked as signed" run={(input) => sign({ id: d.id, input })} />
          )}
        </Group>
      }
    >
      <Figures
        label="Key terms"
        items={[
          ["Funding provided", money(computed.fundingProvided)],
          ["Finance charge", money(computed.financeCharge)],
          ["Estimated APR", computed.estimatedApr === null ? "Not required" : percent(computed.estimatedApr)],
          ["Total repayment", money(computed.totalRepayment)],
          ["Amount disbursed", money(computed.recipientFunds)],
        ]}
      />
      <Fields label="Disclosed" items={disclosedFields(computed)} />
      <Items label="Itemization of funding provided" items={computed.itemization} />
      <Items label="Fees charged only if they apply" items={computed.avoidableFees} />
      <Fields
        label="Dates"
        items={[
          ["Created", <Instant key="made" at={d.createdAt} />],
          ["Delivered", <Instant key="delivered" at={d.deliveredAt} />],
          ["Signed", <Instant key="signed" at={d.signedAt} />],
        ]}
      />
    </Section>
  );
}

function disclosedFields(c: Computed): [string, ReactNode][] {
  const prepayment = c.prepayment;
  return [
    ["Amount financed", money(c.amountFinanced)],
    ["Payment", `${money(c.paymentAmount)}, ${humanize(c.frequency).toLowerCase()}`],
    ["Term", c.termDays === null ? none : `${c.termDays} days`],
    ["Average monthly cost", money(c.averageMonthlyCost)],
    [
      "Prepayment",
      prepayment.discountedPayoff === null
        ? "No discount"
        : `${money(prepayment.discountedPayoff)} total within ${prepayment.windowDays} days`,
    ],
    ["Prepayment fees", prepayment.additionalFees ? "Yes" : "None"],
    ["Collateral", c.collateral],
    ["Broker compensation", money(c.brokerCompensation)],
    ["Paid toward prior balance", money(c.priorBalancePaid)],
  ];
}

function Items({ label, items }: { label: string; items: Item[] }) {
  return items.length === 0 ? null : (
    <Table aria-label={label} verticalSpacing={4} maw={420} captionSide="top">
      <Table.Caption ta="left">{label}</Table.Caption>
      <Table.Tbody>
        {items.map((i) => (
          <Table.Tr key={i.item}>
            <Table.Td>{i.item}</Table.Td>
            <Table.Td ta="right">
              <Text component="span" size="sm">
                {money(i.amount)}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Records what the merchant did outside the portal. */
function MarkButton({
  label,
  done,
  run,
}: {
  label: string;
  done: string;
  run: (input: DisclosureMoment) => Promise<Outcome<unknown>>;
}) {
  return (
    <FormDialog
      label={label}
      size="xs"
      variant="default"
      fields={dateFields}
      submitLabel={label}
      save={async (input) => {
        const { problem } = await run(input as DisclosureMoment);
        if (!problem) {
          showSuccess(`Disclosure ${done}.`);
        }
        return problem;
      }}
    />
  );
}
