import type { DealQuery } from "../../gql/documents";

/** The deal, as its page loads it. */
export type DealData = NonNullable<DealQuery["deal"]>;
