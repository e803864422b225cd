import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";

type Props = {
  label: string;
  /** Accessible name, where several buttons share a label. */
  name?: string;
  run: () => Promise<unknown>;
} & Pick<ButtonProps, "size" | "variant">;

/** Runs an action that can be undone, without confirmation. The button is disabled while the action runs. */
export function ActionButton({ label, name, run, size = "xs", variant = "default" }: Props) {
  const [busy, setBusy] = useState(false);
  const click = async () => {
    setBusy(true);
    await run();
    setBusy(false);
  };
  return (
    <Button size={size} variant={variant} loading={busy} onClick={() => void click()} aria-label={name}>
      {label}
    </Button>
  );
}
