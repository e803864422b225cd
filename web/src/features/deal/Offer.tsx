import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ActionButton } from "../../components/ActionButton";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Copy } from "../../components/Copy";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { amount, cents, money, none, percent, rate, timeAgo, useZone } from "../../components/format";
import { Instant } from "../../components/Instant";
import { LongText } from "../../components/LongText";
import type { FormField } from "../../components/RecordForm";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  AcceptOfferDocument,
  CounterOfferDocument,
  CreateApprovalDocument,
  DeclineOfferDocument,
  type NewApproval,
  type OfferFieldsFragment,
  OfferShareTokenDocument,
  ResolveCounterDocument,
  SendOfferDocument,
  UpdateApprovalDocument,
  WithdrawOfferDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";

const termFields: FormField[] = [
  { name: "fundedAmount", label: "Funded amount", kind: "money" },
  { name: "factorRate", label: "Factor rate", kind: "rate", hint: "Payback ÷ funded, 1 to 2.5" },
  {
    name: "paybackAmount",
    label: "Payback amount",
    kind: "money",
    hint: "Calculated from funded amount and factor rate",
  },
  { name: "termDays", label: "Term (days)", kind: "integer" },
  { name: "bankFeePercent", label: "Bank fee (% of funded amount)", kind: "rate" },
  { name: "epoDiscount", label: "Early payoff discount", kind: "money" },
  {
    name: "expiresAt",
    label: "Expires on",
    kind: "date",
    hint: "Default: 14 days after sending",
  },
  { name: "notes", label: "Notes", kind: "long", hint: "Internal; not shown to the merchant" },
];

const counterFields: FormField[] = [
  { name: "counterAmount", label: "Funded amount", kind: "money" },
  { name: "counterFactor", label: "Factor rate", kind: "rate" },
  { name: "counterTermDays", label: "Term (days)", kind: "integer" },
  { name: "counterBankFeePercent", label: "Bank fee (% of funded amount)", kind: "rate" },
  { name: "counterNote", label: "Merchant's comments", kind: "long" },
];

type Terms = { fundedAmount: string | null; factorRate: string | null; termDays: number | null };

/** Drafts an offer with the deal's terms. */
export function DraftOffer({
  submission,
  terms,
}: {
  submission: { id: string; funder: { name: string } | null };
  terms: Terms;
}) {
  const [create] = useGraphMutation(CreateApprovalDocument);
  const { fundedAmount, factorRate, termDays } = terms;
  const defaults = { fundedAmount, factorRate, termDays };
  return (
    <FormDialog
      label="Draft offer"
      name={`Draft offer from ${submission.funder?.name ?? "the funder"}`}
      size="xs"
      fields={termFields}
      initial={defaults}
      submitLabel="Save draft"
      save={async (changes) => {
        const input = { ...defaults, ...changes, submissionId: submission.id } as NewApproval;
        const { problem } = await create({ input });
        if (!problem) {
          showSuccess("Draft saved. Send it to show it to the merchant.");
        }
        return problem;
      }}
    />
  );
}

const formatDays = (value: number | null) => (value === null ? none : `${value} days`);

/** Shows an offer and the merchant's counter, with the actions for both. */
export function Offer({ offer, canWrite }: { offer: OfferFieldsFragment; canWrite: boolean }) {
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
              {expiryText(offer)}
            </Text>
          </Group>
          {canWrite && (
            <Group gap="xs">
              <OfferActions offer={offer} />
            </Group>
          )}
        </Group>
        <Fields
          label={`Terms of offer ${offer.id}`}
          items={[
            ["Funded amount", money(offer.fundedAmount)],
            ["Factor rate", rate(offer.factorRate)],
            ["Payback amount", money(offer.paybackAmount)],
            ["Cost of capital", money(cost)],
            ["Term", formatDays(offer.termDays)],
            ["Bank fee", percent(offer.bankFeePercent)],
            ...(offer.epoDiscount ? [["Early payoff discount", money(offer.epoDiscount)] as [string, string]] : []),
            ["Sent", <Instant key="sent" at={offer.offerSentAt} />],
            ["Expires", <Instant key="ends" at={offer.expiresAt} />],
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
        {offer.declinedReason && <LongText label="Reason declined">{offer.declinedReason}</LongText>}
        {offer.notes && <LongText label="Notes">{offer.notes}</LongText>}
        {offer.counterAt && <Counter offer={offer} />}
        {canWrite && offer.state === "SENT" && <ShareLink id={offer.id} />}
      </Stack>
    </Paper>
  );
}

/** Says how long a sent offer is still valid. */
function expiryText({ state, expiresAt }: OfferFieldsFragment): string {
  if (!expiresAt || (state !== "SENT" && state !== "COUNTERED")) {
    return "";
  }
  return `expires ${timeAgo(expiresAt, Date.now())}`;
}

function Counter({ offer }: { offer: OfferFieldsFragment }) {
  const response = { true: "Accepted in a new offer", false: "Declined; the offer is unchanged", null: "Pending" }[
    String(offer.counterAccepted) as "true" | "false" | "null"
  ];
  return (
    <>
      <Title order={4}>Counteroffer</Title>
      <Fields
        label={`Counter to offer ${offer.id}`}
        items={[
          ["Funded amount", money(offer.counterAmount)],
          ["Factor rate", rate(offer.counterFactor)],
          ["Term", formatDays(offer.counterTermDays)],
          ["Bank fee", percent(offer.counterBankFeePercent)],
          ["Received", <Instant key="asked" at={offer.counterAt} />],
          ["Response", response],
        ]}
      />
      {offer.counterNote && <LongText label="Merchant's comments">{offer.counterNote}</LongText>}
    </>
  );
}

/** The private link to the page where the merchant responds. */
function ShareLink({ id }: { id: string }) {
  const result = useQuery(graphQuery(OfferShareTokenDocument, { id }));
  const token = result.data?.approval?.shareToken;
  if (!token) {
    return null;
  }
  const address = `${window.location.origin}/offers/${encodeURIComponent(token)}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm">The merchant responds at</Text>
      <Anchor href={address} target="_blank" rel="noreferrer" size="sm" truncate>
        {address}
      </Anchor>
      <Copy value={address} label="Copy merchant link" />
    </Group>
  );
}

/** The actions that the state of an offer allows. */
function OfferActions({ offer }: { offer: OfferFieldsFragment }) {
  const [send] = useGraphMutation(SendOfferDocument);
  const [accept] = useGraphMutation(AcceptOfferDocument);
  const [decline] = useGraphMutation(DeclineOfferDocument);
  const [resolve] = useGraphMutation(ResolveCounterDocument);
  const { id, state } = offer;
  const amountText = money(offer.fundedAmount);
  return (
    <>
      {state === "DRAFT" && (
        <>
          <EditOffer offer={offer} />
          <ConfirmButton
            label="Send"
            name={`Send offer ${id}`}
            size="xs"
            variant="filled"
            consequence={`The merchant can accept the offer of ${amountText} through a private link. Its terms can no longer change.`}
            run={() => showOutcome(send({ id }), "Offer sent. Share the link with the merchant.")}
          />
        </>
      )}
      {state === "SENT" && (
        <>
          <ConfirmButton
            label="Mark accepted"
            name={`Mark accepted: offer ${id}`}
            size="xs"
            consequence={`The deal takes the terms of this offer of ${amountText}, and its other offers are voided.`}
            run={() => showOutcome(accept({ id }), "Offer accepted. The deal has its terms.")}
          />
          <RecordCounter offer={offer} />
        </>
      )}
      {state === "COUNTERED" && (
        <>
          <ActionButton
            label="Accept counter"
            name={`Accept counter to offer ${id}`}
            run={() => showOutcome(resolve({ id, accept: true }), "A new offer with the requested terms was sent.")}
          />
          <ActionButton
            label="Decline counter"
            name={`Decline counter to offer ${id}`}
            run={() => showOutcome(resolve({ id, accept: false }), "Counter declined. The offer is unchanged.")}
          />
        </>
      )}
      {(state === "SENT" || state === "COUNTERED") && (
        <ConfirmButton
          label="Mark declined"
          name={`Mark declined: offer ${id}`}
          size="xs"
          consequence="Records that the merchant declined. The offer can no longer be accepted."
          run={() => showOutcome(decline({ id }), "Offer marked as declined.")}
        />
      )}
      {["DRAFT", "SENT", "COUNTERED", "ACCEPTED"].includes(state) && <WithdrawOffer id={id} />}
    </>
  );
}

function WithdrawOffer({ id }: { id: string }) {
  const [withdraw] = useGraphMutation(WithdrawOfferDocument);
  return (
    <ConfirmButton
      label="Withdraw"
      name={`Withdraw offer ${id}`}
      size="xs"
      danger
      consequence="This voids the offer permanently."
      run={() => showOutcome(withdraw({ id }), "Offer withdrawn.")}
    />
  );
}

function EditOffer({ offer }: { offer: OfferFieldsFragment }) {
  const zone = useZone();
  const [update] = useGraphMutation(UpdateApprovalDocument);
  return (
    <FormDialog
      label="Edit"
      name={`Edit offer ${offer.id}`}
      size="xs"
      variant="default"
      fields={termFields}
      initial={{ ...offer, expiresAt: offer.expiresAt && zone.dayOf(offer.expiresAt) }}
      submitLabel="Save draft"
      save={async (input) => {
        const { problem } = await update({ id: offer.id, input });
        if (!problem) {
          showSuccess("Draft saved.");
        }
        return problem;
      }}
    />
  );
}

/** Records the counter that a merchant gives by phone. */
function RecordCounter({ offer }: { offer: OfferFieldsFragment }) {
  const [counter] = useGraphMutation(CounterOfferDocument);
  return (
    <FormDialog
      label="Record counter"
      name={`Record counter to offer ${offer.id}`}
      size="xs"
      variant="default"
      fields={counterFields}
      submitLabel="Record counter"
      save={async (input) => {
        const { problem } = await counter({ id: offer.id, input });
        if (!problem) {
          showSuccess("Counter recorded. Accept or decline it next.");
        }
        return problem;
      }}
    />
  );
}
