import { Modal, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { SignIn } from "../features/login/SignIn";
import { startSession, useExpired, useSession } from "../session/session";

/** Signs the user in again above the current screen, so that no input is lost. */
export function Expired() {
  const expired = useExpired();
  const { user } = useSession();
  return (
    <Modal
      opened={expired}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={300}
      title="Your session has ended"
    >
      <SignIn
        frame={Frame}
        email={user.email}
        onSignIn={(session) => {
          startSession(session);
          if (session.user.id !== user.id) {
            // The screen shows another user's data.
            window.location.assign("/");
          }
        }}
      />
    </Modal>
  );
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack>
      <Text>Sign in to continue where you left off.</Text>
      <Title order={3}>{title}</Title>
      {children}
    </Stack>
  );
}
