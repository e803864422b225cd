import { Button, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Fields } from "../../components/Fields";
import { Figures } from "../../components/Figures";
import { count, day, money, none, percent } from "../../components/format";
import { Section } from "../../components/Section";
import { graphQuery } from "../../gql/client";
import {
  DealQuoteDocument,
  type DealQuoteQuery,
  type QuoteTerms,
  type ScheduleFrequency,
  UpdateDealDocument,
} from "../../gql/documents";
import { showOutcome, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { frequencyOptions, unfunded } from "../deals/states";
import type { DealData } from "./dealData";

type Quote = NonNullable<NonNullable<DealQuoteQuery["deal"]>["quote"]>;

/** The terms as text: amounts and rates never become floats. */
type Terms = Record<"fundedAmount" | "factorRate" | "numberOfPayments" | "collectionDay", string> & {
  collectionFrequency: ScheduleFrequency | null;
};

const integerFields = ["numberOfPayments", "collectionDay"] as const;

/** States in which the terms can still change. */
const editableStates = ["INCEPTION", "SUBMITTED"];

/** Tries out terms. The server quotes them with the same rules that price deals. */
export function Calculator({ deal }: { deal: DealData }) {
  return unfunded.includes(deal.state) ? <Form key={deal.updatedAt} deal={deal} /> : null;
}

function Form({ deal }: { deal: DealData }) {
  const can = useCan();
  const [draft, setDraft] = useState<Terms>();
  const [debounced] = useDebouncedValue(draft, 300);
  const [update, busy] = useGraphMutation(UpdateDealDocument);
  const terms = debounced ? termsOf(debounced) : {};
  const invalid = integerFields.filter((name) => draft && !/^\d*$/.test(draft[name].trim()));
  const variables = { id: deal.id, terms };
  const result = useQuery({ ...graphQuery(DealQuoteDocument, variables), enabled: !(invalid.length > 0) });
  const values = draft ?? dealTerms(deal);
  const stale = (result.isPlaceholderData && invalid.length === 0) || debounced !== draft;
  const set = (change: Partial<Terms>) => setDraft({ ...values, ...change });
  const problem = result.error?.problem;
  const quote = problem ? undefined : result.data?.deal?.quote;
  const errorOf = (name: keyof Terms) =>
    invalid.some((n) => n === name) ? "Enter a whole number" : problem?.details.find((d) => d.path === name)?.message;
  const noFieldErrors = problem?.details.every((d) => !(d.path in values));
  const field = (name: Exclude<keyof Terms, "collectionFrequency">, label: string) => (
    <TextInput
      label={label}
      inputMode="decimal"
      value={values[name]}
      error={errorOf(name)}
      onChange={(e) => set({ [name]: e.currentTarget.value })}
    />
  );
  return (
    <Section
      title="Calculator"
      actions={
        draft && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setDraft(undefined)}>
              Reset to deal terms
            </Button>
            {can("deals:write") && editableStates.includes(deal.state) && quote && !stale && invalid.length === 0 && (
              <Button
                size="xs"
                loading={busy}
                onClick={() => {
                  const terms = { id: deal.id, input: termsOf(draft), unchangedSince: deal.updatedAt };
                  void showOutcome(update(terms), "Terms saved to the deal.");
                }}
              >
                Apply to deal
              </Button>
            )}
          </Group>
        )
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {field("fundedAmount", "Funded amount")}
        {field("factorRate", "Factor rate")}
        {field("numberOfPayments", "Number of payments")}
        <Select
          label="Frequency"
          data={frequencyOptions}
          value={values.collectionFrequency}
          error={errorOf("collectionFrequency")}
          allowDeselect={false}
          onChange={(value) => set({ collectionFrequency: value as ScheduleFrequency })}
        />
        {values.collectionFrequency === "WEEKLY" && field("collectionDay", "Day, 1 (Monday) to 5")}
        {values.collectionFrequency === "MONTHLY" && field("collectionDay", "Day of the month")}
      </SimpleGrid>
      <Stack gap="xs" aria-live="polite" aria-busy={stale}>
        {problem && noFieldErrors && <ErrorPanel problem={problem} />}
        {quote && (
          <>
            <Figures label="Quote" items={figures(quote)} />
            <Fields label="Quote details" items={details(quote)} />
          </>
        )}
      </Stack>
    </Section>
  );
}

const dealTerms = (deal: DealData): Terms => ({
  fundedAmount: deal.fundedAmount ?? "",
  factorRate: deal.factorRate ?? "",
  numberOfPayments: deal.numberOfPayments?.toString() ?? "",
  collectionFrequency: deal.collectionFrequency,
  collectionDay: deal.collectionDay?.toString() ?? "",
});

/** Leaves the payback, the payment and the term to the server. */
function termsOf(draft: Terms): QuoteTerms {
  const text = (value: string) => value.trim().replaceAll(",", "") || null;
  const integer = (value: string) => (value.trim() === "" ? null : Number(value));
  return {
    fundedAmount: text(draft.fundedAmount),
    factorRate: text(draft.factorRate),
    paybackAmount: null,
    numberOfPayments: integer(draft.numberOfPayments),
    paymentAmount: null,
    termDays: null,
    collectionFrequency: draft.collectionFrequency,
    collectionDay: draft.collectionFrequency === "DAILY" ? null : integer(draft.collectionDay),
  };
}

/** The key figures of a quote. */
function figures(q: Quote): [string, string][] {
  return [
    ["Payback", money(q.paybackAmount)],
    ["Payment amount", money(q.paymentAmount)],
    ["Term", q.termDays === null ? none : `${q.termDays} days`],
    ["Holdback", percent(q.specifiedPercentage)],
    ["Net to merchant", money(q.netDisbursement)],
  ];
}

function details(q: Quote): [string, string][] {
  return [
    ["Cost of capital", money(q.cost)],
    ["Payments", count(q.numberOfPayments)],
    ["Last payment", money(q.lastPayment)],
    ["First payment", day(q.firstPayment)],
    ["Fees withheld", money(q.fees)],
    ["Commission", money(q.commission)],
  ];
}
