import { Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Copy } from "./Copy";

type Props = { title: string; what: string; secret: string | undefined; close: () => void };

/** Shows a secret once. Closes only after the user confirms having saved it. */
export function SecretDialog({ title, what, secret, close }: Props) {
  const [kept, setKept] = useState(false);
  const leave = () => {
    setKept(false);
    close();
  };
  return (
    <Modal
      opened={secret !== undefined}
      onClose={leave}
      title={title}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack>
        <Text>{what} It will not be shown again.</Text>
        <Group wrap="nowrap" gap="xs">
          <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap", flex: 1 }}>
            {secret}
          </Code>
          <Copy value={secret ?? ""} label="Copy secret" />
        </Group>
        <Checkbox
          label="I have saved it in a safe place"
          checked={kept}
          onChange={(e) => setKept(e.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!kept} onClick={leave}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
