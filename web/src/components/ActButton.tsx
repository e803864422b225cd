import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";

type Props = {
  label: string;
  /** Names the button where many on the screen say the same. */
  name?: string;
  run: () => Promise<unknown>;
} & Pick<ButtonProps, "size" | "variant">;

/** ActButton does what can be taken back, at once; it cannot be pressed again while that takes. */
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
