import { useMemo } from "react";
import { useSession } from "../session/session";

// Formats amounts, rates and times for people. Amounts are decimal strings and never become floats: Intl formats the
// strings, and sums are in whole cents.

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const wholeDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const shortDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", notation: "compact" });
const counts = new Intl.NumberFormat("en-US");
const rates = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const percents = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const days = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const weekdays = new Intl.DateTimeFormat("en-US", {
  weekday: "short",
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});
const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/** Shown for a missing value. */
export const none = "—";

type Maybe = string | null | undefined;

/** Intl formats a decimal string exactly, without a float in between. */
const decimal = (value: string) => value as Intl.StringNumericLiteral;

/** Formats dollars and cents: $1,234.50. */
export const money = (value: Maybe) => (value == null ? none : dollars.format(decimal(value)));

/** Formats dollars without cents, for tiles. */
export const roundMoney = (value: Maybe) => (value == null ? none : wholeDollars.format(decimal(value)));

/** Formats $1.2M, for chart axes. */
export const shortMoney = (value: number) => shortDollars.format(value);

export const count = (value: number | null | undefined) => (value == null ? none : counts.format(value));

/** Formats a factor: 1.30. */
export const rate = (value: Maybe) => (value == null ? none : rates.format(decimal(value)));

/** Formats a percentage: 12.5%. */
export const percent = (value: Maybe) => (value == null ? none : `${percents.format(decimal(value))}%`);

/** Formats a calendar day, which has no time zone: Jan 5, 2026. */
export const day = (value: Maybe) => (value == null ? none : days.format(new Date(`${value}T00:00:00Z`)));

/** Formats a calendar day with its weekday: Mon, Jan 5. */
export const weekday = (value: string) => weekdays.format(new Date(`${value}T00:00:00Z`));

/** Labels of stored names that the trade calls something else. */
const labels: Record<string, string> = { INCEPTION: "New", BOUNCED: "Returned", BOUNCE_FEE: "Returned payment fee" };

/** Formats a stored name as a label: WIRE_FEE becomes Wire fee. */
export function humanize(name: string): string {
  const label = labels[name];
  if (label) {
    return label;
  }
  const lower = name.replaceAll("_", " ").toLowerCase();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Formats an instant relative to now: 3 hours ago, in 2 days. */
export function timeAgo(value: string, now: number): string {
  const seconds = (Date.parse(value) - now) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) {
      return relative.format(Math.trunc(seconds / length), unit);
    }
  }
  return "just now";
}

/** Formats the time since an instant: 3 hours. */
export const elapsed = (value: string, now: number) => timeAgo(value, now).replace(/ ago$/, "");

/** Formats instants in the company's time zone. */
export function useZone() {
  const { timeZone } = useSession().tenant;
  return useMemo(() => {
    const instants = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone });
    const calendar = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone });
    return {
      timeZone,
      instant: (value: Maybe) => (value == null ? none : instants.format(new Date(value))),
      /** The calendar day of an instant: 2026-01-05. */
      dayOf: (at: string | number) => calendar.format(new Date(at)),
      today: () => calendar.format(Date.now()),
    };
  }, [timeZone]);
}

/** Adds days to a calendar day. */
export function addDays(from: string, days: number): string {
  const at = new Date(`${from}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Parses an amount into whole cents, in which sums are exact. */
export function cents(value: Maybe): bigint {
  if (value == null) {
    return 0n;
  }
  const [whole = "0", part = ""] = value.replace("-", "").split(".");
  const total = BigInt(whole) * 100n + BigInt(part.padEnd(2, "0").slice(0, 2));
  return value.startsWith("-") ? -total : total;
}

/** Formats whole cents as an amount. */
export function amount(total: bigint): string {
  const size = total < 0n ? -total : total;
  return `${total < 0n ? "-" : ""}${size / 100n}.${String(size % 100n).padStart(2, "0")}`;
}

export const sum = (values: Maybe[]) => amount(values.reduce((total, value) => total + cents(value), 0n));
