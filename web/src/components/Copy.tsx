import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { Check, Copy as Icon } from "lucide-react";

/** Copies a value to the clipboard. */
export function Copy({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : label}>
          <ActionIcon variant="subtle" aria-label={copied ? "Copied" : label} onClick={copy}>
            {copied ? <Check size={16} aria-hidden /> : <Icon size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
