import type { StreamState } from "../gql/stream";
import classes from "./Live.module.css";

const labels: Record<StreamState, string> = {
  connecting: "Connecting",
  live: "Live",
  waiting: "Reconnecting",
  ended: "Not live",
};

/** Shows whether a list updates by itself. */
export function Live({ state }: { state: StreamState }) {
  return (
    <span className={`${classes.mark} ${classes[state]}`} role="status">
      {labels[state]}
    </span>
  );
}
