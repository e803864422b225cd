import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { FormDialog } from "../../components/FormDialog";
import { Instant } from "../../components/Instant";
import { graphQuery } from "../../gql/client";
import {
  DealHoldsDocument,
  type DealHoldsQuery,
  type PaymentHoldReason,
  PlaceCollectionHoldDocument,
  ReleaseCollectionHoldDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { unfunded } from "../deals/states";
import type { DealData } from "./dealData";

type Hold = NonNullable<NonNullable<DealHoldsQuery["deal"]>["collectionHolds"]>[number];

/** Why debits are on hold. */
const titles: Record<PaymentHoldReason, string> = {
  ACCOUNT: "ACH debits on hold: bank account cannot be debited",
  AUTHORIZATION: "ACH debits on hold: authorization revoked or disputed",
  LEGAL: "ACH debits on hold: legal",
  CONSENT: "ACH debits on hold: merchant stopped a payment",
  RETURNS: "ACH debits on hold: too many returns",
  STAFF: "ACH debits on hold",
};

/** How each hold ends. */
const remedies: Record<PaymentHoldReason, string> = {
  ACCOUNT: "Verify another bank account, or release the hold.",
  AUTHORIZATION: "Release the hold once the merchant has signed a new authorization.",
  LEGAL: "Release the hold once the legal question is settled.",
  CONSENT: "Release the hold once the merchant consents to further debits.",
  RETURNS: "Release the hold to resume debits.",
  STAFF: "Release the hold to resume debits.",
};

/** Shows the hold on a deal's ACH debits, and releases it. */
export function Holds({ deal }: { deal: DealData }) {
  const can = useCan();
  return unfunded.includes(deal.state) || !can("payments:read") ? null : <ActiveHolds id={deal.id} />;
}

function ActiveHolds({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealHoldsDocument, { id }));
  const holds = (result.data?.deal?.collectionHolds ?? []).filter((hold) => hold.standing);
  return holds.length === 0 ? null : (
    <Stack gap="xs">
      {holds.map((hold) => (
        <HoldBanner key={hold.id} hold={hold} />
      ))}
    </Stack>
  );
}

function HoldBanner({ hold }: { hold: Hold }) {
  const can = useCan();
  const title = hold.code ? `${titles[hold.reason]} (${hold.code})` : titles[hold.reason];
  return (
    <Alert variant="default" icon={<TriangleAlert aria-hidden />} title={title} role="note">
      <Stack gap="xs">
        {hold.note && <Text size="sm">{hold.note}</Text>}
        <Text size="sm">
          Since <Instant at={hold.since} />
          {hold.until && (
            <>
              , until <Instant at={hold.until} />
            </>
          )}
          . {remedies[hold.reason]} Payments by other methods still work.
        </Text>
        {can("collections.release") && can("payments:write") && (
          <Group>
            <ReleaseHold hold={hold} title={title} />
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

function ReleaseHold({ hold, title }: { hold: Hold; title: string }) {
  const [release] = useGraphMutation(ReleaseCollectionHoldDocument);
  return (
    <FormDialog
      label="Release hold"
      name={`Release hold: ${title}`}
      title="Release hold"
      size="xs"
      variant="default"
      fields={[
        {
          name: "note",
          label: "Note",
          kind: "long",
          required: true,
          hint: "How the cause was resolved; kept on record",
        },
      ]}
      submitLabel="Release hold"
      save={async ({ note }) => {
        const { problem } = await release({ id: hold.id, note: String(note ?? "") });
        if (!problem) {
          showSuccess("The hold is released.");
        }
        return problem;
      }}
    />
  );
}

/** Puts a deal's ACH debits on hold. */
export function PlaceHold({ deal }: { deal: { id: string; state: string } }) {
  const can = useCan();
  const [place] = useGraphMutation(PlaceCollectionHoldDocument);
  if (!can("payments:write") || !["FUNDED", "DEFAULTED"].includes(deal.state)) {
    return null;
  }
  return (
    <FormDialog
      label="Hold debits"
      title="Hold ACH debits"
      variant="default"
      fields={[{ name: "note", label: "Reason", kind: "long", required: true }]}
      submitLabel="Hold debits"
      save={async ({ note }) => {
        const { problem } = await place({ input: { dealId: deal.id, note: String(note ?? "") } });
        if (!problem) {
          showSuccess("ACH debits of the deal are on hold.");
        }
        return problem;
      }}
    >
      <Text size="sm">No ACH debit can be created, retried or submitted until the hold is released.</Text>
    </FormDialog>
  );
}
