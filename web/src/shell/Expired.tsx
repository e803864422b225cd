import { Modal, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { SignIn } from "../features/login/SignIn";
import { begin, useExpired, useSession } from "../session/session";

/** Expired has whoever's session has ended sign in again above the screen, so that nothing is lost of what they were about. */
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
        enter={(session) => {
          begin(session);
          if (session.user.id !== user.id) {
            // What is on the screen is somebody else's.
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
      <Text>Go on where you were.</Text>
      <Title order={3}>{title}</Title>
      {children}
    </Stack>
  );
}
