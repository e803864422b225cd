import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useZone } from "../../components/format";
import { SecretDialog } from "../../components/SecretDialog";

export type Reset = { token: string; expiresAt: string; mailedTo: string | null };

/** Shows a password link once, or the address it was emailed to. */
export function ResetDialog({ reset, close }: { reset: Reset | undefined; close: () => void }) {
  const zone = useZone();
  if (reset?.mailedTo) {
    return (
      <Modal opened onClose={close} title="Link sent">
        <Stack>
          <Text>
            Password link is on its way to {reset.mailedTo}. It works once, until {zone.instant(reset.expiresAt)}.
          </Text>
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <SecretDialog
      title="Password link"
      description={`Send it to the user. It works once, until ${zone.instant(reset?.expiresAt)}. For 30 days you cannot approve what each other creates.`}
      secret={reset && `${window.location.origin}/reset?token=${encodeURIComponent(reset.token)}`}
      close={close}
    />
  );
}
