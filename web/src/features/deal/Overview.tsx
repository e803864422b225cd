import { Anchor, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Fields } from "../../components/Fields";
import { amount, cents, day, humanize, money, none, percent, rate } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";
import type { PricingBasis } from "../../gql/documents";
import { productName, unfunded } from "../deals/states";
import { Calculator } from "./Calculator";
import type { DealData } from "./dealData";
import { Payoff } from "./Payoff";
import { Renewal } from "./Renewal";

/** Formats a value in the unit of its basis. */
function formatByBasis(basis: PricingBasis | null, value: string | null): string {
  if (value === null || basis === null) {
    return none;
  }
  switch (basis) {
    case "FLAT":
      return money(value);
    case "PERCENT_OF_FUNDED":
      return `${percent(value)} of funded amount`;
    case "PERCENT_OF_PAYBACK":
      return `${percent(value)} of payback`;
    case "POINTS":
      return `${rate(value)} points`;
  }
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Says when payments are collected. */
function collectionText(deal: DealData): string {
  const frequency = deal.collectionFrequency;
  if (frequency === null) {
    return none;
  }
  const on = deal.collectionDay;
  if (frequency === "WEEKLY" && on !== null) {
    return `Weekly, on ${weekdays[on - 1]}`;
  }
  if (frequency === "MONTHLY" && on !== null) {
    return `Monthly, on day ${on}`;
  }
  if (deal.collectionSchedule === "CUSTOM_DAYS" && on !== null) {
    return `On ${weekdays.filter((_, i) => on & (1 << i)).join(", ")}`;
  }
  return `${humanize(frequency)}, ${humanize(deal.collectionSchedule).toLowerCase()}`;
}

/** The agreed terms, and what they cost the merchant. */
export function Overview({ deal }: { deal: DealData }) {
  const cost =
    deal.paybackAmount === null || deal.fundedAmount === null
      ? null
      : amount(cents(deal.paybackAmount) - cents(deal.fundedAmount));
  return (
    <Stack>
      <Section title="Terms">
        <Fields
          label="Terms"
          items={[
            ["Funded amount", money(deal.fundedAmount)],
            ["Factor rate", rate(deal.factorRate)],
            ["Payback amount", money(deal.paybackAmount)],
            ["Cost of capital", money(cost)],
            ["Buy rate", rate(deal.buyRate)],
            ["Holdback", percent(deal.specifiedPercentage)],
            ["Position", deal.position],
            [
              "Early payoff",
              deal.epoFactorRate ? `${rate(deal.epoFactorRate)} within ${deal.epoWindowDays ?? none} days` : none,
            ],
          ]}
        />
      </Section>
      <Section title="Collection">
        <Fields
          label="Collection"
          items={[
            ["Payments", deal.numberOfPayments],
            ["Payment amount", money(deal.paymentAmount)],
            ["Frequency", collectionText(deal)],
            ["First payment", day(deal.firstPaymentDate)],
            ["Term", deal.termDays === null ? none : `${deal.termDays} days`],
            ["Paid off", day(deal.payoffDate)],
          ]}
        />
      </Section>
      <Calculator deal={deal} />
      <Payoff deal={deal} />
      {!unfunded.includes(deal.state) && <Renewal dealId={deal.id} />}
      <Section title="Fees and commission">
        <Fields
          label="Fees and commission"
          items={[
            ["Commission", formatByBasis(deal.commissionBasis, deal.commissionValue)],
            ["Bank fee", formatByBasis(deal.bankFeeBasis, deal.bankFeeValue)],
            ["Application fee", money(deal.applicationFee)],
            ["Wire fee", money(deal.wireFee)],
            ["Default fee", money(deal.defaultSurcharge)],
            ["Payoff of prior deal", money(deal.renewalPayoffAmount)],
          ]}
        />
      </Section>
      <Section title="Parties and dates">
        <Fields label="Parties and dates" items={parties(deal)} />
      </Section>
    </Stack>
  );
}

function parties(deal: DealData): [string, ReactNode][] {
  return [
    ["Broker", deal.iso?.name],
    ["Funder", deal.fundedLender?.name],
    ["Product", productName(deal.productType)],
    ["Reference ID", deal.referenceId],
    [
      "Renews",
      deal.renewedFromDeal && (
        <Anchor component={Link} to={`/deals/${deal.renewedFromDeal.id}`}>
          {deal.renewedFromDeal.dealNumber}
        </Anchor>
      ),
    ],
    [
      "Underwriting",
      deal.uwScore === null ? none : `${deal.uwScore}${deal.uwScoreCategory ? `, ${deal.uwScoreCategory}` : ""}`,
    ],
    ["Created", <Instant key="created" at={deal.createdAt} />],
    ["Funded", <Instant key="funded" at={deal.fundedAt} />],
    ["In default since", <Instant key="defaulted" at={deal.defaultedAt} />],
    ["Last updated", <Instant key="updated" at={deal.updatedAt} />],
  ];
}
