import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { none, words } from "../../components/format";
import type { RenewalFragment } from "../../gql/documents";

/** BecameOf says what came of an opportunity: the deal that renews it, or why there is none. */
export function BecameOf({ renewal }: { renewal: RenewalFragment }) {
  const deal = renewal.renewalDeal;
  if (deal) {
    return (
      <Text inherit component="span">
        <Anchor component={Link} to={`/deals/${deal.id}`} inherit>
          {deal.dealNumber}
        </Anchor>
        , {words(deal.state).toLowerCase()}
      </Text>
    );
  }
  return renewal.dismissedReason ?? none;
}
