import type { DealQuery } from "../../gql/documents";

/** A deal as its page reads it. */
export type ShownDeal = NonNullable<DealQuery["deal"]>;
