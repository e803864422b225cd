import { Text } from "@mantine/core";
import { DealLink } from "../../components/DealLink";
import { humanize, none } from "../../components/format";
import type { RenewalFieldsFragment } from "../../gql/documents";

/** Shows the deal that renewed it, or why it was dismissed. */
export function RenewalResult({ renewal }: { renewal: RenewalFieldsFragment }) {
  const deal = renewal.renewalDeal;
  if (deal) {
    return (
      <Text inherit component="span">
        <DealLink deal={deal} />, {humanize(deal.state).toLowerCase()}
      </Text>
    );
  }
  return renewal.dismissedReason ?? none;
}
