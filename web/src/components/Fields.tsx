import type { ReactNode } from "react";
import classes from "./Fields.module.css";
import { none } from "./format";

/** Shows a record as name and value pairs, with a dash for a missing value. */
export function Fields({ items, label }: { items: [name: string, value: ReactNode][]; label: string }) {
  return (
    <dl className={classes.fields} aria-label={label}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null || value === undefined || value === "" ? none : value}</dd>
        </div>
      ))}
    </dl>
  );
}
