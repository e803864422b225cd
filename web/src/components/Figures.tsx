import { Paper } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Figures.module.css";

/** Shows a few key numbers with their labels. */
export function Figures({ items, label }: { items: [name: string, value: ReactNode][]; label: string }) {
  return (
    <dl className={classes.figures} aria-label={label}>
      {items.map(([name, value]) => (
        <Paper withBorder p="sm" key={name} component="div">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Paper>
      ))}
    </dl>
  );
}
