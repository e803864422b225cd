import { Code, Text } from "@mantine/core";
import classes from "./Fields.module.css";
import { humanize, none } from "./format";

/** Turns a JSON name into a label: avgDailyBalance becomes Avg daily balance. */
const title = (name: string) => humanize(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Shows a JSON value: an object as pairs, an array as a list. Text is never rendered as markup. */
export function JsonView({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === "") {
    return <span>{none}</span>;
  }
  if (typeof value === "boolean") {
    return <span>{value ? "Yes" : "No"}</span>;
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? (
      <span>None</span>
    ) : (
      <ul className={classes.list}>
        {value.map((item, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items of stored JSON have no id and never move
          <li key={i}>
            <JsonView value={item} />
          </li>
        ))}
      </ul>
    );
  }
  if (isObject(value)) {
    return (
      <dl className={classes.fields}>
        {Object.entries(value).map(([name, inner]) => (
          <div key={name}>
            <dt>{title(name)}</dt>
            <dd>
              <JsonView value={inner} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return <span>{String(value)}</span>;
}

/** Shows raw JSON, for developers. */
export function RawJson({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return text ? (
    <Code block mah={420} className={classes.source} tabIndex={0} role="region" aria-label={label}>
      {text}
    </Code>
  ) : (
    <Text c="dimmed">Empty</Text>
  );
}
