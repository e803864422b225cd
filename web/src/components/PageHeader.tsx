import { Anchor, Breadcrumbs, Group, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

type Props = {
  title: string;
  /** The list that the record is in. */
  parent?: { to: string; title: string };
  /** Stands beside the title, such as a state. */
  beside?: ReactNode;
  /** What can be done here. */
  actions?: ReactNode;
};

/** PageHeader is the header of a screen. It also sets the title of the window. */
export function PageHeader({ title, parent, beside, actions }: Props) {
  useDocumentTitle(`${title.slice(0, 80)} · paydown`);
  return (
    <Stack gap={4}>
      {parent && (
        <Breadcrumbs component="nav" aria-label="Breadcrumb">
          <Anchor component={Link} to={parent.to} size="sm">
            {parent.title}
          </Anchor>
        </Breadcrumbs>
      )}
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={1} textWrap="wrap" lineClamp={3} style={{ overflowWrap: "anywhere", unicodeBidi: "isolate" }}>
            {title}
          </Title>
          {beside}
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
    </Stack>
  );
}
