import { Button, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Fields } from "../../components/Fields";
import { Figures } from "../../components/Figures";
import { count, day, money, none, percent } from "../../components/format";
import { Section } from "../../components/Section";
import { report, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  DealQuoteDocument,
  type DealQuoteQuery,
  type QuoteTerms,
  type ScheduleFrequency,
  UpdateDealDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { frequencyOptions, unfunded } from "../deals/states";
import type { ShownDeal } from "./shown";

type Quote = NonNullable<NonNullable<DealQuoteQuery["deal"]>["quote"]>;

/** What is tried out, as text: amounts and rates never become floats. */
type Tried = Record<"fundedAmount" | "factorRate" | "numberOfPayments" | "collectionDay", string> & {
  collectionFrequency: ScheduleFrequency | null;
};

const counted = ["numberOfPayments", "collectionDay"] as const;

/** The states in which the terms may still change. */
const open = ["INCEPTION", "SUBMITTED"];

/** Calculator tries out terms: what they come to the server says, by the rules that it prices the deal by. */
export function Calculator({ deal }: { deal: ShownDeal }) {
  return unfunded.includes(deal.state) ? <Form key={deal.updatedAt} deal={deal} /> : null;
}

function Form({ deal }: { deal: ShownDeal }) {
  const can = useCan();
  const [tried, setTried] = useState<Tried>();
  const [later] = useDebouncedValue(tried, 300);
  const [update, busy] = useAct(UpdateDealDocument);
  const terms = later ? termsOf(later) : {};
  const unclear = counted.filter((name) => tried && !/^\d*$/.test(tried[name].trim()));
  const variables = { id: deal.id, terms };
  const result = useQuery({ ...graphQuery(DealQuoteDocument, variables), enabled: !(unclear.length > 0) });
  const shown = tried ?? asItIs(deal);
  const late = (result.isPlaceholderData && unclear.length === 0) || later !== tried;
  const set = (change: Partial<Tried>) => setTried({ ...shown, ...change });
  const problem = result.error?.problem;
  const quote = problem ? undefined : result.data?.deal?.quote;
  const wrong = (name: keyof Tried) =>
    unclear.some((n) => n === name) ? "Write a whole number" : problem?.details.find((d) => d.path === name)?.message;
  const elsewhere = problem?.details.every((d) => !(d.path in shown));
  const field = (name: Exclude<keyof Tried, "collectionFrequency">, label: string) => (
    <TextInput
      label={label}
      inputMode="decimal"
      value={shown[name]}
      error={wrong(name)}
      onChange={(e) => set({ [name]: e.currentTarget.value })}
    />
  );
  return (
    <Section
      title="Calculator"
      actions={
        tried && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setTried(undefined)}>
              Back to the deal's terms
            </Button>
            {can("deals:write") && open.includes(deal.state) && quote && !late && unclear.length === 0 && (
              <Button
                size="xs"
                loading={busy}
                onClick={() => {
                  const terms = { id: deal.id, input: termsOf(tried), unchangedSince: deal.updatedAt };
                  void report(update(terms), "The deal has these terms.");
                }}
              >
                Use these terms
              </Button>
            )}
          </Group>
        )
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {field("fundedAmount", "Amount to fund")}
        {field("factorRate", "Factor")}
        {field("numberOfPayments", "Number of payments")}
        <Select
          label="Collected"
          data={frequencyOptions}
          value={shown.collectionFrequency}
          error={wrong("collectionFrequency")}
          allowDeselect={false}
          onChange={(value) => set({ collectionFrequency: value as ScheduleFrequency })}
        />
        {shown.collectionFrequency === "WEEKLY" && field("collectionDay", "Day, 1 (Monday) to 5")}
        {shown.collectionFrequency === "MONTHLY" && field("collectionDay", "Day of the month")}
      </SimpleGrid>
      <Stack gap="xs" aria-live="polite" aria-busy={late}>
        {problem && elsewhere && <ErrorPanel problem={problem} />}
        {quote && (
          <>
            <Figures label="What the terms come to" of={figures(quote)} />
            <Fields label="What else they come to" of={details(quote)} />
          </>
        )}
      </Stack>
    </Section>
  );
}

const asItIs = (deal: ShownDeal): Tried => ({
  fundedAmount: deal.fundedAmount ?? "",
  factorRate: deal.factorRate ?? "",
  numberOfPayments: deal.numberOfPayments?.toString() ?? "",
  collectionFrequency: deal.collectionFrequency,
  collectionDay: deal.collectionDay?.toString() ?? "",
});

/** termsOf has the server work out whatever is not tried out: payback, payment and term. */
function termsOf(tried: Tried): QuoteTerms {
  const text = (value: string) => value.trim().replaceAll(",", "") || null;
  const whole = (value: string) => (value.trim() === "" ? null : Number(value));
  return {
    fundedAmount: text(tried.fundedAmount),
    factorRate: text(tried.factorRate),
    paybackAmount: null,
    numberOfPayments: whole(tried.numberOfPayments),
    paymentAmount: null,
    termDays: null,
    collectionFrequency: tried.collectionFrequency,
    collectionDay: tried.collectionFrequency === "DAILY" ? null : whole(tried.collectionDay),
  };
}

/** figures are what one looks at first: what is paid back, how, and what the merchant receives. */
function figures(q: Quote): [string, string][] {
  return [
    ["Payback", money(q.paybackAmount)],
    ["One payment", money(q.paymentAmount)],
    ["Term", q.termDays === null ? none : `${q.termDays} days`],
    ["Holdback", percent(q.specifiedPercentage)],
    ["Merchant receives", money(q.netDisbursement)],
  ];
}

function details(q: Quote): [string, string][] {
  return [
    ["Cost to the merchant", money(q.cost)],
    ["Payments", count(q.numberOfPayments)],
    ["Last payment", money(q.lastPayment)],
    ["First collection", day(q.firstPayment)],
    ["Fees withheld", money(q.fees)],
    ["Commission", money(q.commission)],
  ];
}
