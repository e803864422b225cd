import { Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Copy } from "./Copy";

type Props = { title: string; description: string; secret: string | undefined; close: () => void };

/** Shows a secret once. Closes only after the user confirms having saved it. */
export function SecretDialog({ title, description, secret, close }: Props) {
  const [saved, setSaved] = useState(false);
  const finish = () => {
    setSaved(false);
    close();
  };
  return (
    <Modal
      opened={secret !== undefined}
      onClose={finish}
      title={title}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack>
        <Text>{description} It will not be shown again.</Text>
        <Group wrap="nowrap" gap="xs">
          <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap", flex: 1 }}>
            {secret}
          </Code>
          <Copy value={secret ?? ""} label="Copy secret" />
        </Group>
        <Checkbox
          label="I have saved it in a safe place"
          checked={saved}
          onChange={(e) => setSaved(e.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!saved} onClick={finish}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
