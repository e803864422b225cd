import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { none } from "./format";

/** DealLink links to a deal or one of its tabs. Without a deal it shows a dash. */
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
