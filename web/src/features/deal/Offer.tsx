import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ActButton } from "../../components/ActButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Copy } from "../../components/Copy";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { ago, amount, cents, money, none, percent, rate, useZone } from "../../components/format";
import { Instant } from "../../components/Instant";
import type { FormField } from "../../components/RecordForm";
import { StateBadge } from "../../components/StateBadge";
import { Words } from "../../components/Words";
import { report, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  AcceptOfferDocument,
  CounterOfferDocument,
  CreateApprovalDocument,
  DeclineOfferDocument,
  type NewApproval,
  type OfferedFragment,
  OfferLinkDocument,
  ResolveCounterDocument,
  SendOfferDocument,
  UpdateApprovalDocument,
  WithdrawOfferDocument,
} from "../../gql/documents";

const termFields: FormField[] = [
  { name: "fundedAmount", label: "Funded amount", kind: "money" },
  { name: "factorRate", label: "Factor", kind: "rate", hint: "Payback ÷ funded, 1 to 2.5" },
  { name: "paybackAmount", label: "Payback amount", kind: "money", hint: "Follows from the two" },
  { name: "termDays", label: "Term in days", kind: "integer" },
  { name: "bankFeePercent", label: "Bank fee, in per cent of what is funded", kind: "rate" },
  { name: "epoDiscount", label: "Saved by paying off early", kind: "money" },
  {
    name: "expiresAt",
    label: "Stands until the beginning of",
    kind: "date",
    hint: "14 days from sending unless given",
  },
  { name: "notes", label: "Notes", kind: "long", hint: "For staff; the merchant does not see them" },
];

const counterFields: FormField[] = [
  { name: "counterAmount", label: "Funded amount", kind: "money" },
  { name: "counterFactor", label: "Factor", kind: "rate" },
  { name: "counterTermDays", label: "Term in days", kind: "integer" },
  { name: "counterBankFeePercent", label: "Bank fee, in per cent of what is funded", kind: "rate" },
  { name: "counterNote", label: "In the merchant's words", kind: "long" },
];

type Terms = { fundedAmount: string | null; factorRate: string | null; termDays: number | null };

/** DraftOffer begins an offer with the terms that the deal has. */
export function DraftOffer({
  submission,
  terms,
}: {
  submission: { id: string; funder: { name: string } | null };
  terms: Terms;
}) {
  const [create] = useAct(CreateApprovalDocument);
  const { fundedAmount, factorRate, termDays } = terms;
  const begun = { fundedAmount, factorRate, termDays };
  return (
    <FormDialog
      label="Draft an offer"
      name={`Draft an offer of ${submission.funder?.name ?? "the funder"}`}
      size="xs"
      fields={termFields}
      initial={begun}
      submitLabel="Keep draft"
      save={async (changes) => {
        const input = { ...begun, ...changes, submissionId: submission.id } as NewApproval;
        const { problem } = await create({ input });
        if (!problem) {
          tell("The draft is kept. The merchant sees it once it is sent.");
        }
        return problem;
      }}
    />
  );
}

const days = (value: number | null) => (value === null ? none : `${value} days`);

/** Offer shows what a funder offers, what the merchant would have instead, and what can be done about either. */
export function Offer({ of: offer, writes }: { of: OfferedFragment; writes: boolean }) {
  const cost =
    offer.paybackAmount && offer.fundedAmount ? amount(cents(offer.paybackAmount) - cents(offer.fundedAmount)) : null;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Offer ${offer.id}`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={3}>Offer {offer.id}</Title>
            <StateBadge state={offer.state} />
            <Text size="sm" c="dimmed">
              {standing(offer)}
            </Text>
          </Group>
          {writes && (
            <Group gap="xs">
              <Acts of={offer} />
            </Group>
          )}
        </Group>
        <Fields
          label={`Terms of offer ${offer.id}`}
          of={[
            ["Funded amount", money(offer.fundedAmount)],
            ["Factor", rate(offer.factorRate)],
            ["Payback amount", money(offer.paybackAmount)],
            ["Cost to the merchant", money(cost)],
            ["Term", days(offer.termDays)],
            ["Bank fee", percent(offer.bankFeePercent)],
            ...(offer.epoDiscount ? [["Saved by paying off early", money(offer.epoDiscount)] as [string, string]] : []),
            ["Sent", <Instant key="sent" at={offer.offerSentAt} />],
            ["Ends", <Instant key="ends" at={offer.expiresAt} />],
            ...(offer.acceptedAt
              ? [["Accepted", <Instant key="accepted" at={offer.acceptedAt} />] as [string, ReactNode]]
              : []),
            ...(offer.acceptedBy
              ? [
                  ["Accepted by", [offer.acceptedBy, offer.acceptedFrom].filter(Boolean).join(", from ")] as [
                    string,
                    string,
                  ],
                ]
              : []),
          ]}
        />
        {offer.declinedReason && <Words label="Declined because">{offer.declinedReason}</Words>}
        {offer.notes && <Words label="Notes">{offer.notes}</Words>}
        {offer.counterAt && <Counter of={offer} />}
        {writes && offer.state === "SENT" && <ShareLink id={offer.id} />}
      </Stack>
    </Paper>
  );
}

/** standing says how long an offer that is out has left. */
function standing({ state, expiresAt }: OfferedFragment): string {
  if (!expiresAt || (state !== "SENT" && state !== "COUNTERED")) {
    return "";
  }
  return `ends ${ago(expiresAt, Date.now())}`;
}

function Counter({ of: offer }: { of: OfferedFragment }) {
  const answer = { true: "Taken up in another offer", false: "Refused; the offer stands as it was", null: "Waits" }[
    String(offer.counterAccepted) as "true" | "false" | "null"
  ];
  return (
    <>
      <Title order={4}>The merchant asks for</Title>
      <Fields
        label={`Counter to offer ${offer.id}`}
        of={[
          ["Funded amount", money(offer.counterAmount)],
          ["Factor", rate(offer.counterFactor)],
          ["Term", days(offer.counterTermDays)],
          ["Bank fee", percent(offer.counterBankFeePercent)],
          ["Asked", <Instant key="asked" at={offer.counterAt} />],
          ["Answer", answer],
        ]}
      />
      {offer.counterNote && <Words label="In the merchant's words">{offer.counterNote}</Words>}
    </>
  );
}

/** ShareLink is the address of the public page on which the merchant answers. It is a secret of the two. */
function ShareLink({ id }: { id: string }) {
  const result = useQuery(graphQuery(OfferLinkDocument, { id }));
  const token = result.data?.approval?.shareToken;
  if (!token) {
    return null;
  }
  const address = `${window.location.origin}/offers/${encodeURIComponent(token)}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm">The merchant answers on</Text>
      <Anchor href={address} target="_blank" rel="noreferrer" size="sm" truncate>
        {address}
      </Anchor>
      <Copy value={address} label="Copy the link for the merchant" />
    </Group>
  );
}

/** Acts are what the state of an offer allows. */
function Acts({ of: offer }: { of: OfferedFragment }) {
  const [send] = useAct(SendOfferDocument);
  const [accept] = useAct(AcceptOfferDocument);
  const [decline] = useAct(DeclineOfferDocument);
  const [resolve] = useAct(ResolveCounterDocument);
  const { id, state } = offer;
  const sum = money(offer.fundedAmount);
  return (
    <>
      {state === "DRAFT" && (
        <>
          <Edit of={offer} />
          <ConfirmButton
            label="Send"
            name={`Send offer ${id}`}
            size="xs"
            variant="filled"
            consequence={`The offer of ${sum} can then be accepted, by a link that only the merchant is given. Its terms no longer change.`}
            run={() => report(send({ id }), "The offer is out. Give the merchant its link.")}
          />
        </>
      )}
      {state === "SENT" && (
        <>
          <ConfirmButton
            label="Accept for the merchant"
            name={`Accept for the merchant: offer ${id}`}
            size="xs"
            consequence={`The deal takes over the terms of this offer of ${sum}, and all its other offers are void.`}
            run={() => report(accept({ id }), "The offer is accepted, and the deal has its terms.")}
          />
          <Countered of={offer} />
        </>
      )}
      {state === "COUNTERED" && (
        <>
          <ActButton
            label="Agree"
            name={`Agree to the counter to offer ${id}`}
            run={() => report(resolve({ id, accept: true }), "Another offer with the terms asked for is out.")}
          />
          <ActButton
            label="Stay with the offer"
            name={`Stay with the offer ${id}`}
            run={() => report(resolve({ id, accept: false }), "The offer stands as it was.")}
          />
        </>
      )}
      {(state === "SENT" || state === "COUNTERED") && (
        <ConfirmButton
          label="Declined"
          name={`Declined: offer ${id}`}
          size="xs"
          consequence="The merchant does not take this offer. It cannot be accepted any more."
          run={() => report(decline({ id }), "The offer is declined.")}
        />
      )}
      {["DRAFT", "SENT", "COUNTERED", "ACCEPTED"].includes(state) && <Withdraw id={id} />}
    </>
  );
}

function Withdraw({ id }: { id: string }) {
  const [withdraw] = useAct(WithdrawOfferDocument);
  return (
    <ConfirmButton
      label="Withdraw"
      name={`Withdraw offer ${id}`}
      size="xs"
      danger
      consequence="The offer is void, for good."
      run={() => report(withdraw({ id }), "The offer is withdrawn.")}
    />
  );
}

function Edit({ of: offer }: { of: OfferedFragment }) {
  const zone = useZone();
  const [update] = useAct(UpdateApprovalDocument);
  return (
    <FormDialog
      label="Edit"
      name={`Edit offer ${offer.id}`}
      size="xs"
      variant="default"
      fields={termFields}
      initial={{ ...offer, expiresAt: offer.expiresAt && zone.dayOf(offer.expiresAt) }}
      submitLabel="Keep draft"
      save={async (input) => {
        const { problem } = await update({ id: offer.id, input });
        if (!problem) {
          tell("The draft is kept.");
        }
        return problem;
      }}
    />
  );
}

/** Countered notes what the merchant asks for on the telephone. */
function Countered({ of: offer }: { of: OfferedFragment }) {
  const [counter] = useAct(CounterOfferDocument);
  return (
    <FormDialog
      label="Counter"
      name={`Counter to offer ${offer.id}`}
      size="xs"
      variant="default"
      fields={counterFields}
      submitLabel="Note what is asked for"
      save={async (input) => {
        const { problem } = await counter({ id: offer.id, input });
        if (!problem) {
          tell("The counter is noted. The offer waits for an answer to it.");
        }
        return problem;
      }}
    />
  );
}
