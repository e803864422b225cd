import { useQuery } from "@tanstack/react-query";
import { Fields } from "../../components/Fields";
import { money, percent } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import { DealRenewalsDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { isOpen, statusName } from "../renewals/labels";
import { RenewalActions } from "../renewals/RenewalActions";
import { RenewalResult } from "../renewals/RenewalResult";

/** Shows whether the deal is eligible for renewal, and the deal that renews it. */
export function Renewal({ dealId }: { dealId: string }) {
  return useCan()("renewals:read") ? <LatestRenewal dealId={dealId} /> : null;
}

/** The newest renewal opportunity, if any. Older ones have ended. */
function LatestRenewal({ dealId }: { dealId: string }) {
  const result = useQuery(graphQuery(DealRenewalsDocument, { id: dealId }));
  const renewal = result.data?.deal?.renewals?.nodes[0];
  if (!renewal) {
    return null;
  }
  return (
    <Section title="Renewal" actions={isOpen(renewal) && <RenewalActions renewal={renewal} />}>
      <Fields
        label="Renewal"
        items={[
          ["Status", <StateBadge key="status" state={renewal.status} label={statusName(renewal.status)} />],
          [renewal.renewalDeal ? "Renewed by" : "Reason", <RenewalResult key="became" renewal={renewal} />],
          ["Paid down", percent(renewal.paidDownPct)],
          ["Outstanding", money(renewal.outstanding)],
          ["Eligible since", <Instant key="since" at={renewal.createdAt} />],
          ["Ended", <Instant key="closed" at={renewal.closedAt} />],
        ]}
      />
    </Section>
  );
}
