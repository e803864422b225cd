import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** Shown for an unknown URL. */
export function PageNotFound() {
  return (
    <main>
      <NotFound noun="page" />
    </main>
  );
}

/** Shown for a record that does not exist. */
export function NotFound({ noun }: { noun: string }) {
  return (
    <Stack p="xl" gap="sm">
      <Title order={1}>{noun.replace(/^./, (letter) => letter.toUpperCase())} not found</Title>
      <Text>It may have been removed, or the address is wrong.</Text>
      <Anchor component={Link} to="/">
        Go to the dashboard
      </Anchor>
    </Stack>
  );
}

/** Shown if the user's role does not include the page. */
export function NoAccess({ page }: { page: string }) {
  return (
    <Stack p="xl" gap="sm">
      <Title order={1}>{page}: no access</Title>
      <Text>Your role does not include this page. Ask an administrator for access.</Text>
      <Anchor component={Link} to="/">
        Go to the dashboard
      </Anchor>
    </Stack>
  );
}
