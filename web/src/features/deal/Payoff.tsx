import { Group, Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Figures } from "../../components/Figures";
import { amount, cents, day, money, none, useZone } from "../../components/format";
import { Section } from "../../components/Section";
import { graphQuery } from "../../gql/client";
import { DealPayoffDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { RecordPayment } from "../payments/RecordPayment";
import type { DealData } from "./dealData";
import { RecordPayoff } from "./RecordPayoff";

/** States with a balance. */
const statesWithBalance = ["FUNDED", "DEFAULTED"];

/** Quotes an early payoff. */
export function Payoff({ deal }: { deal: DealData }) {
  const can = useCan();
  return statesWithBalance.includes(deal.state) && can("payments:read") ? <PayoffQuote deal={deal} /> : null;
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

function PayoffQuote({ deal }: { deal: DealData }) {
  const can = useCan();
  const today = useZone().today();
  const [on, setOn] = useState(today);
  const result = useQuery({ ...graphQuery(DealPayoffDocument, { id: deal.id, on }), enabled: isDay(on) });
  const problem = result.error?.problem;
  // While another day loads, the previous day's payoff must not show.
  const payoff = problem || result.isPlaceholderData ? undefined : result.data?.deal?.payoff;
  // Fees are separate payments; the rest of the amount goes to the advance.
  const advance = payoff ? cents(deal.collection?.outstanding) - cents(payoff.discount) : 0n;
  const fees = payoff ? cents(payoff.amount) - advance : 0n;
  return (
    <Section title="Payoff">
      <Group align="flex-end">
        <TextInput
          type="date"
          label="Payoff date"
          min={today}
          value={on}
          error={problem?.details.find((d) => d.path === "on")?.message}
          onChange={(e) => setOn(e.currentTarget.value)}
        />
        {payoff &&
          on === today &&
          can("payments:write") &&
          (deal.state === "FUNDED" ? (
            <RecordPayoff deal={deal} amount={payoff.amount} />
          ) : (
            <RecordPayment dealId={deal.id} label="Record payoff" amount={amount(advance)} />
          ))}
      </Group>
      {problem && problem.details.length === 0 && <ErrorPanel problem={problem} />}
      {!payoff && !problem && isDay(on) && <Skeleton h={60} role="status" aria-label="Loading payoff" />}
      {payoff && (
        <>
          <Figures
            label="Payoff quote"
            items={[
              ["Payoff amount", money(payoff.amount)],
              ["Discount", money(payoff.discount)],
              ["Unpaid fees included", money(amount(fees))],
              ["Discount ends", payoff.until && payoff.until >= on ? day(payoff.until) : none],
            ]}
          />
          <Text size="sm" c="dimmed">
            Assumes no payments before the payoff date.
            {fees > 0n && deal.state !== "FUNDED" && " Mark the fees as paid under Payments."}
          </Text>
        </>
      )}
    </Section>
  );
}
