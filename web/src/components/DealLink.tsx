import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { none } from "./format";

/** Links to a deal or to one of its tabs. Shows a dash without a deal. */
export function DealLink({ deal, tab }: { deal: { id: string; dealNumber: string } | null | undefined; tab?: string }) {
  return deal ? (
    <Anchor component={Link} to={`/deals/${deal.id}${tab ? `?tab=${tab}` : ""}`} inherit>
      {deal.dealNumber}
    </Anchor>
  ) : (
    none
  );
}
