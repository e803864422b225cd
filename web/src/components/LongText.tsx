import { Spoiler, Text } from "@mantine/core";
import classes from "./LongText.module.css";

/** Shows free text with its line breaks at full width. Long text is collapsed. */
export function LongText({ label, children }: { label: string; children: string }) {
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
