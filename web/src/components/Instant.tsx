import { day, none, timeAgo, useZone } from "./format";
import classes from "./Instant.module.css";

type Props = { at: string | null | undefined; relative?: boolean; date?: boolean };

/**
 * Shows an instant in the company's time zone: in full, as "3 hours ago" (relative), or as the day alone (date). The
 * short forms have the full time as a tooltip.
 */
export function Instant({ at, relative, date }: Props) {
  const zone = useZone();
  if (!at) {
    return <span>{none}</span>;
  }
  return (
    <time className={classes.instant} dateTime={at} title={`${zone.instant(at)} (${zone.timeZone})`}>
      {relative ? timeAgo(at, Date.now()) : date ? day(zone.dayOf(at)) : zone.instant(at)}
    </time>
  );
}
