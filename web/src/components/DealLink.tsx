import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { none } from "./format";

/** DealLink leads to the page of a deal, to one of its tabs where that is named. Where there is no deal it says so. */
export function DealLink({
  of: deal,
  tab,
}: {
  of: { id: string; dealNumber: string } | null | undefined;
  tab?: string;
}) {
  return deal ? (
    <Anchor component={Link} to={`/deals/${deal.id}${tab ? `?tab=${tab}` : ""}`} inherit>
      {deal.dealNumber}
    </Anchor>
  ) : (
    none
  );
}
