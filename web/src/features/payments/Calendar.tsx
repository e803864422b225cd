import { ActionIcon, Button, Group, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { ErrorPanel } from "../../components/ErrorPanel";
import { addDays, count, day, money, useZone, weekday } from "../../components/format";
import { useTableSearch } from "../../components/table";
import { graphQuery } from "../../gql/client";
import { type CollectionDayFieldsFragment, PaymentCalendarDocument } from "../../gql/documents";
import classes from "./Calendar.module.css";

/** Days shown: two weeks. */
const dayCount = 14;

/** The Monday of a day's week. */
function startOfWeek(date: string): string {
  const weekdayNumber = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(date, -weekdayNumber);
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Shows expected, collected and returned amounts by day. */
export function Calendar() {
  const zone = useZone();
  const { value, set } = useTableSearch("calendar-");
  const today = zone.today();
  const requested = value("from");
  const from = startOfWeek(requested && isDay(requested) ? requested : today);
  const to = addDays(from, dayCount - 1);
  const result = useQuery(graphQuery(PaymentCalendarDocument, { from, to }));
  const days = result.data?.paymentCalendar;
  const goTo = (date: string | undefined) => set({ from: date });
  return (
    <>
      <Group mb="sm">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Previous two weeks"
          onClick={() => goTo(addDays(from, -dayCount))}
        >
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Next two weeks"
          onClick={() => goTo(addDays(from, dayCount))}
        >
          <ChevronRight size={16} aria-hidden />
        </ActionIcon>
        <Button variant="default" onClick={() => goTo(undefined)}>
          Today
        </Button>
        <Text role="status">
          {day(from)} to {day(to)}
        </Text>
      </Group>
      {result.error && !days && <ErrorPanel problem={result.error.problem} retry={result.refetch} />}
      {!days && !result.error && <Skeleton h={300} role="status" aria-label="Loading calendar" />}
      {days && (
        <ol className={classes.days} aria-label="Days">
          {Array.from({ length: dayCount }, (_, i) => addDays(from, i)).map((date) => (
            <Day key={date} date={date} totals={days.find((d) => d.date === date)} today={today} />
          ))}
        </ol>
      )}
    </>
  );
}

/** A day of the calendar. The server leaves out bank holidays and weekends without payments. */
function Day({
  date,
  totals,
  today,
}: {
  date: string;
  totals: CollectionDayFieldsFragment | undefined;
  today: string;
}) {
  // Collections of a future day are unknown, not zero. Returns are shown only if there are any.
  const figures = totals
    ? (
        [
          ["Expected", totals.expected, true],
          ["Collected", totals.collected, date <= today],
          ["Returned", totals.bounced, false],
        ] as const
      ).filter(([, total, always]) => always || total.count > 0)
    : [];
  const isEmpty = figures.every(([, total]) => total.count === 0);
  return (
    <li
      className={classes.day}
      data-closed={totals === undefined || undefined}
      aria-current={date === today ? "date" : undefined}
    >
      <Text fw={600} size="sm">
        {weekday(date)}
        {date === today ? ", today" : ""}
      </Text>
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          {totals?.bankingDay ? "No payments" : "Banks closed"}
        </Text>
      ) : (
        <dl className={classes.figures}>
          {figures.map(([name, total]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {money(total.amount)} <span className={classes.count}>({count(total.count)})</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
