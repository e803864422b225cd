import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";

type Props = {
  /** Label of the button, and title of the dialog. */
  label: string;
  /** Accessible name, where several buttons share a label. */
  name?: string;
  /** Explains to the user what confirming does. */
  consequence: string;
  /** Runs on confirmation. The dialog stays open until it resolves. */
  run: () => Promise<unknown>;
  danger?: boolean;
} & Pick<ButtonProps, "size" | "variant" | "disabled">;

/** A button that asks for confirmation before it acts. */
export function ConfirmButton({
  label,
  name,
  consequence,
  run,
  danger,
  size = "sm",
  variant = "default",
  disabled,
}: Props) {
  const [opened, dialog] = useDisclosure();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await run();
    setBusy(false);
    dialog.close();
  };
  return (
    <>
      <Button size={size} variant={variant} disabled={disabled ?? false} onClick={dialog.open} aria-label={name}>
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={`${name ?? label}?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text>{consequence}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              Cancel
            </Button>
            <Button color={danger ? "red.9" : "brand"} loading={busy} onClick={() => void confirm()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
