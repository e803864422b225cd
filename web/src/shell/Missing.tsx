import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** NoPage is shown where an address leads nowhere. */
export function NoPage() {
  return (
    <main>
      <Missing what="page" />
    </main>
  );
}

/** Missing is shown in place of a record that is not there. */
export function Missing({ what }: { what: string }) {
  return (
    <Stack p="xl" gap="sm">
      <Title order={1}>There is no such {what}</Title>
      <Text>It may have been removed, or the address has a mistake in it.</Text>
      <Anchor component={Link} to="/">
        Go to the dashboard
      </Anchor>
    </Stack>
  );
}

/** NotForYou is shown at an address that the role of whoever goes there does not lead to. */
export function NotForYou({ what }: { what: string }) {
  return (
    <Stack p="xl" gap="sm">
      <Title order={1}>{what}: not for your role</Title>
      <Text>Your role does not let you see this page. Whoever manages your company's users can change that.</Text>
      <Anchor component={Link} to="/">
        Go to the dashboard
      </Anchor>
    </Stack>
  );
}
