import { Spoiler, Text } from "@mantine/core";
import classes from "./Words.module.css";

/** Words shows what somebody wrote, with its lines as they are. It has the whole width; what is long is folded. */
export function Words({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Spoiler maxHeight={96} showLabel="Show all of it" hideLabel="Show less">
        <Text size="sm" className={classes.words}>
          {children}
        </Text>
      </Spoiler>
    </div>
  );
}
