import { humanize } from "./format";
import classes from "./StateBadge.module.css";

/** The meaning of a state, which sets its color. The word is always shown too. */
type Tone = "good" | "bad" | "busy" | "quiet" | "new";

const tones: Record<string, Tone> = {
  ACCEPTED: "good",
  ACTIVE: "good",
  APPROVED: "good",
  APPROVE: "good",
  CLEARED: "good",
  CONVERTED: "good",
  DELIVERED: "good",
  FUNDED: "good",
  LIVE: "good",
  OFFERED: "good",
  PAID: "good",
  SIGNED: "good",
  CLOSED: "good",
  RENEWED: "good",
  BOUNCED: "bad",
  CLAWED_BACK: "bad",
  REPAID: "good",
  REJECTED: "bad",
  LAPSED: "bad",
  SUSPENDED: "busy",
  REQUESTED: "busy",
  DEAD: "bad",
  DECLINE: "bad",
  DECLINED: "bad",
  DEFAULTED: "bad",
  EXCEEDED: "bad",
  FAILED: "bad",
  PAUSED: "bad",
  REJECTED_BY_MERCHANT: "bad",
  REVOKED: "bad",
  EXPIRED: "bad",
  CONTACTED: "busy",
  HELD: "busy",
  PARTIAL: "busy",
  OK: "good",
  PENDING: "busy",
  PREFUNDED: "busy",
  QUALIFIED: "busy",
  SENT: "busy",
  SUBMITTED: "busy",
  WARNING: "busy",
  REVIEW: "busy",
  DRAFT: "new",
  ELIGIBLE: "new",
  INCEPTION: "new",
  NEW: "new",
  OPEN: "new",
  TEST: "new",
};

/** Shows a stored state as a word. */
export function StateBadge({ state, label }: { state: string; label?: string }) {
  return <span className={`${classes.badge} ${classes[tones[state] ?? "quiet"]}`}>{label ?? humanize(state)}</span>;
}
