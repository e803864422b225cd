import type { DealQuery } from "../../gql/documents";

/** The deal, as its page loads it. */
export type ShownDeal = NonNullable<DealQuery["deal"]>;
