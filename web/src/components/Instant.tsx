import { ago, day, none, useZone } from "./format";
import classes from "./Instant.module.css";

type Props = { at: string | null | undefined; relative?: boolean; date?: boolean };

/**
 * Instant shows when something was, in the company's time zone. relative says how long ago, and date the day alone, with
 * the time as a hint.
 */
export function Instant({ at, relative, date }: Props) {
  const zone = useZone();
  if (!at) {
    return <span>{none}</span>;
  }
  return (
    <time className={classes.instant} dateTime={at} title={`${zone.instant(at)} (${zone.timeZone})`}>
      {relative ? ago(at, Date.now()) : date ? day(zone.dayOf(at)) : zone.instant(at)}
    </time>
  );
}
