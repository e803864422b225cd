import { ago, none, useZone } from "./format";
import classes from "./Instant.module.css";

/** Instant shows when something was, in the company's time zone; relative says how long ago, with the time as a hint. */
export function Instant({ at, relative }: { at: string | null | undefined; relative?: boolean }) {
  const zone = useZone();
  if (!at) {
    return <span>{none}</span>;
  }
  return (
    <time className={classes.instant} dateTime={at} title={`${zone.instant(at)} (${zone.timeZone})`}>
      {relative ? ago(at, Date.now()) : zone.instant(at)}
    </time>
  );
}
