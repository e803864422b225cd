import { useInterval } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useZone } from "./format";

const pad = (value: number) => String(value).padStart(2, "0");

/** Shows the time left until an instant as 23:59:08, then expiredLabel. */
export function Countdown({ to, expiredLabel }: { to: string; expiredLabel: string }) {
  const zone = useZone();
  const [now, setNow] = useState(Date.now);
  const { start, stop } = useInterval(() => setNow(Date.now()), 1000);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  const left = Math.ceil((Date.parse(to) - now) / 1000);
  if (left <= 0) {
    return <span>{expiredLabel}</span>;
  }
  return (
    <time dateTime={to} role="timer" title={`Until ${zone.instant(to)} (${zone.timeZone})`}>
      {pad(Math.floor(left / 3600))}:{pad(Math.floor(left / 60) % 60)}:{pad(left % 60)}
    </time>
  );
}
