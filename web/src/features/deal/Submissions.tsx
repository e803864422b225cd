import { Group, Stack, Title } from "@mantine/core";
import { Fields } from "../../components/Fields";
import { money, none, percent, rate } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { DealSubmissionsDocument, type DealSubmissionsQuery } from "../../gql/documents";
import { Part } from "./Part";

type Submitted = NonNullable<NonNullable<DealSubmissionsQuery["deal"]>["submissions"]>["nodes"][number];
type Offered = NonNullable<Submitted["approvals"]>["nodes"][number];

/** Offer shows what a funder offers, and what the merchant would have instead. */
function Offer({ of: offer }: { of: Offered }) {
  const counter: [string, string][] = offer.counterAmount
    ? [
        [
          "The merchant asks for",
          `${money(offer.counterAmount)}${offer.counterFactor ? ` at ${rate(offer.counterFactor)}` : ""}`,
        ],
      ]
    : [];
  return (
    <>
      <Group gap="sm">
        <Title order={3}>Offer {offer.id}</Title>
        <StateBadge state={offer.state} />
      </Group>
      <Fields
        label={`Offer ${offer.id}`}
        of={[
          ["Funded amount", money(offer.fundedAmount)],
          ["Factor", rate(offer.factorRate)],
          ["Payback amount", money(offer.paybackAmount)],
          ["Term", offer.termDays === null ? none : `${offer.termDays} days`],
          ["Bank fee", percent(offer.bankFeePercent)],
          ["Sent", <Instant key="sent" at={offer.offerSentAt} />],
          ["Ends", <Instant key="ends" at={offer.expiresAt} />],
          ["Accepted", <Instant key="accepted" at={offer.acceptedAt} />],
          ...counter,
        ]}
      />
    </>
  );
}

export default function Submissions({ id }: { id: string }) {
  return (
    <Part
      id={id}
      what="submissions"
      document={DealSubmissionsDocument}
      list={(data) => data.deal?.submissions}
      empty="This deal was not put before a funder yet."
    >
      {(items) => (
        <Stack>
          {items.map((s) => (
            <Section
              key={s.id}
              title={s.funder?.name ?? `Submission ${s.id}`}
              actions={s.status && <StateBadge state={s.status.category} label={s.status.name} />}
            >
              <Fields
                label="Dates"
                of={[
                  ["Submitted", <Instant key="submitted" at={s.submittedAt} />],
                  ["In this step since", <Instant key="since" at={s.statusChangedAt} relative />],
                  ["Declined", <Instant key="declined" at={s.declinedAt} />],
                ]}
              />
              {s.approvals?.nodes.map((offer) => (
                <Offer key={offer.id} of={offer} />
              ))}
            </Section>
          ))}
        </Stack>
      )}
    </Part>
  );
}
