import { humanize } from "../../components/format";
import type { DealProduct, DealState, ScheduleFrequency } from "../../gql/documents";

export const dealStates = [
  "INCEPTION",
  "SUBMITTED",
  "PREFUNDED",
  "FUNDED",
  "DEFAULTED",
  "CLOSED",
  "RENEWED",
  "WITHDRAWN",
] as const satisfies readonly DealState[];

export const stateOptions = dealStates.map((value) => ({ value, label: humanize(value) }));

/** States with work to do: the columns of the board. */
export const openStates = [
  "INCEPTION",
  "SUBMITTED",
  "PREFUNDED",
  "FUNDED",
  "DEFAULTED",
] as const satisfies readonly DealState[];

/** States before funding. */
export const unfunded: readonly DealState[] = ["INCEPTION", "SUBMITTED", "PREFUNDED", "WITHDRAWN"];

/** Labels of the change to each state. */
export const stageActions: Record<DealState, string> = {
  INCEPTION: "Move back to new",
  SUBMITTED: "Submit",
  PREFUNDED: "Approve for funding",
  FUNDED: "Fund",
  DEFAULTED: "Mark in default",
  CLOSED: "Close",
  RENEWED: "Renew",
  WITHDRAWN: "Withdraw",
};

/** The label of a product; acronyms stay uppercase. */
export const productName = (product: DealProduct) =>
  ["MCA", "LOC", "SBA"].includes(product) ? product : humanize(product);

export const productOptions = (
  ["MCA", "FACTORING", "TERM_LOAN", "LOC", "SBA", "EQUIPMENT"] as const satisfies readonly DealProduct[]
).map((value) => ({ value, label: productName(value) }));

export const frequencyOptions = (["DAILY", "WEEKLY", "MONTHLY"] as const satisfies readonly ScheduleFrequency[]).map(
  (value) => ({ value, label: humanize(value) }),
);
