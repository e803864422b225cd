import { Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Copy } from "./Copy";

type Props = { title: string; what: string; secret: string | undefined; close: () => void };

/** SecretDialog shows a secret the one time that it is seen. It closes once somebody says that it is kept, not by accident. */
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
        <Text>{what} Nobody can see it again, here or elsewhere.</Text>
        <Group wrap="nowrap" gap="xs">
          <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap", flex: 1 }}>
            {secret}
          </Code>
          <Copy value={secret ?? ""} label="Copy the secret" />
        </Group>
        <Checkbox
          label="I have stored it in a safe place"
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
