import { Spoiler, Text } from "@mantine/core";
import classes from "./Words.module.css";

/** Words shows free text with its line breaks, over the whole width. Long text is folded. */
export function Words({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Spoiler maxHeight={96} showLabel="Show more" hideLabel="Show less">
        <Text size="sm" className={classes.words}>
          {children}
        </Text>
      </Spoiler>
    </div>
  );
}
