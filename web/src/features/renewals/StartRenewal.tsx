import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Figures } from "../../components/Figures";
import { amount, cents, money, none } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { type Changes, type FormField, RecordForm, type Values } from "../../components/RecordForm";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import {
  DealQuoteDocument,
  PriorDealTermsDocument,
  type PriorDealTermsQuery,
  type QuoteTerms,
  type RenewalFieldsFragment,
  type RenewalTerms,
  StartRenewalDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { frequencyOptions, productOptions } from "../deals/states";

type Prior = NonNullable<PriorDealTermsQuery["deal"]>;

const fields: FormField[] = [
  { name: "productType", label: "Product", kind: "choice", options: productOptions, required: true },
  { name: "fundedAmount", label: "Funded amount", kind: "money" },
  { name: "factorRate", label: "Factor rate", kind: "rate", hint: "Payback ÷ funded, 1 to 2.5" },
  { name: "numberOfPayments", label: "Number of payments", kind: "integer" },
  { name: "collectionFrequency", label: "Frequency", kind: "choice", options: frequencyOptions },
  { name: "collectionDay", label: "Payment day", kind: "integer", hint: "Weekly: 1 (Monday) to 5; monthly: 1 to 31" },
];

/** Creates a renewal deal, by default with the terms of the prior deal. */
export function StartRenewal({ renewal }: { renewal: RenewalFieldsFragment }) {
  const [opened, dialog] = useDisclosure();
  const number = renewal.priorDeal?.dealNumber ?? "";
  return (
    <>
      <Button size="xs" onClick={dialog.open} aria-label={`Start renewal of ${number}`}>
        Start
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={`Renew ${number}`}
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <StartDialogContent renewal={renewal} close={dialog.close} />
      </Modal>
    </>
  );
}

function StartDialogContent({ renewal, close }: { renewal: RenewalFieldsFragment; close: () => void }) {
  const result = useQuery(graphQuery(PriorDealTermsDocument, { id: renewal.priorDeal?.id ?? "" }));
  return (
    <Loaded noun="deal to renew" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(prior) => <Form renewal={renewal} prior={prior} close={close} />}
    </Loaded>
  );
}

/** Terms that a renewal takes over. The server computes the rest. */
const carriedTerms = [
  "productType",
  "isoId",
  "fundedAmount",
  "factorRate",
  "buyRate",
  "numberOfPayments",
  "collectionFrequency",
  "collectionDay",
  "position",
  "commissionBasis",
  "commissionValue",
  "bankFeeBasis",
  "bankFeeValue",
  "applicationFee",
  "wireFee",
  "epoFactorRate",
  "epoWindowDays",
  "fundedLenderId",
] as const satisfies readonly (keyof Prior & keyof RenewalTerms)[];

/** The terms of a renewal: those of the prior deal, with the changes. */
function termsOf(prior: Prior, changes: Changes): RenewalTerms {
  const carried = carriedTerms.filter((name) => prior[name] !== null).map((name) => [name, prior[name]]);
  // A collection schedule belongs to its frequency.
  const schedule = "collectionFrequency" in changes ? {} : { collectionSchedule: prior.collectionSchedule };
  return { ...Object.fromEntries(carried), ...schedule, ...changes };
}

function Form({ renewal, prior, close }: { renewal: RenewalFieldsFragment; prior: Prior; close: () => void }) {
  const [start] = useGraphMutation(StartRenewalDocument);
  const navigate = useSafeNavigate();
  return (
    <Stack>
      <Text size="sm">
        The new deal starts with the terms, broker and funder of {prior.dealNumber}. Funding it pays off{" "}
        {prior.dealNumber}; the merchant receives the rest.
      </Text>
      <RecordForm
        fields={fields}
        initial={prior}
        submitLabel="Start renewal"
        cancel={close}
        preview={(values) => <RenewalQuote prior={prior} values={values} />}
        save={async (changes) => {
          const { data, problem } = await start({
            renewalId: renewal.id,
            input: termsOf(prior, changes),
          });
          const deal = data?.startRenewal;
          if (deal) {
            close();
            showSuccess(`${deal.dealNumber} created to renew ${prior.dealNumber}.`);
            await navigate({ to: "/deals/$id", params: { id: deal.id } });
          }
          return problem;
        }}
      />
    </Stack>
  );
}

/** Recommended multiple of the payoff: with less, the merchant receives hardly any cash. */
const advisedMultiple = 2n;

/** Quotes the entered terms as they would price the deal. */
function RenewalQuote({ prior, values }: { prior: Prior; values: Values }) {
  const [debounced] = useDebouncedValue(values, 300);
  const result = useQuery(graphQuery(DealQuoteDocument, { id: prior.id, terms: quoteTerms(debounced) }));
  const quote = result.error ? undefined : result.data?.deal?.quote;
  const payoff = prior.payoff?.amount;
  const net = quote?.fundedAmount && payoff ? cents(quote.fundedAmount) - cents(quote.fees) - cents(payoff) : undefined;
  const belowAdvised = quote?.fundedAmount && payoff && cents(quote.fundedAmount) < advisedMultiple * cents(payoff);
  return (
    <Stack gap="xs" aria-live="polite" aria-busy={result.isFetching}>
      <Figures
        label="Renewal quote"
        items={[
          [`Payoff of ${prior.dealNumber} today`, money(payoff)],
          ["Fees", money(quote?.fees)],
          ["Net to merchant", net === undefined ? none : money(amount(net))],
          ["Payback", money(quote?.paybackAmount)],
          ["Payment amount", money(quote?.paymentAmount)],
        ]}
      />
      {net !== undefined && net < 0n ? (
        <Text size="sm" c="var(--mantine-color-error)">
          Payoff and fees exceed the funded amount, so this deal cannot fund.
        </Text>
      ) : (
        belowAdvised && (
          <Text size="sm" c="dimmed">
            A renewal is advised to fund at least twice the payoff, {money(amount(advisedMultiple * cents(payoff)))}.
          </Text>
        )
      )}
    </Stack>
  );
}

/** The entered terms, without those that the server derives. */
function quoteTerms(values: Values): QuoteTerms {
  const text = (name: string) => String(values[name] ?? "").trim() || null;
  const integer = (name: string) => (/^\d+$/.test(text(name) ?? "") ? Number(text(name)) : null);
  return {
    fundedAmount: text("fundedAmount"),
    factorRate: text("factorRate"),
    paybackAmount: null,
    numberOfPayments: integer("numberOfPayments"),
    paymentAmount: null,
    termDays: null,
    collectionFrequency: text("collectionFrequency") as QuoteTerms["collectionFrequency"],
    collectionDay: integer("collectionDay"),
  };
}
