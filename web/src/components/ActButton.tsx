import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";

type Props = {
  label: string;
  /** Accessible name, where several buttons share a label. */
  name?: string;
  run: () => Promise<unknown>;
} & Pick<ButtonProps, "size" | "variant">;

/** ActButton runs an action without confirmation, for what can be undone. It is disabled while that runs. */
export function ActButton({ label, name, run, size = "xs", variant = "default" }: Props) {
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    await run();
    setBusy(false);
  };
  return (
    <Button size={size} variant={variant} loading={busy} onClick={() => void act()} aria-label={name}>
      {label}
    </Button>
  );
}
