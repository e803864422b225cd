import { Text } from "@mantine/core";
import { DealLink } from "../../components/DealLink";
import { none, words } from "../../components/format";
import type { RenewalFragment } from "../../gql/documents";

/** BecameOf says what came of an opportunity: the deal that renews it, or why there is none. */
export function BecameOf({ renewal }: { renewal: RenewalFragment }) {
  const deal = renewal.renewalDeal;
  if (deal) {
    return (
      <Text inherit component="span">
        <DealLink of={deal} />, {words(deal.state).toLowerCase()}
      </Text>
    );
  }
  return renewal.dismissedReason ?? none;
}
