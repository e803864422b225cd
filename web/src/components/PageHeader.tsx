import { Anchor, Breadcrumbs, Group, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

type Props = {
  title: string;
  /** The list that the record belongs to. */
  parent?: { to: string; title: string };
  /** Shown next to the title, such as a status badge. */
  titleExtra?: ReactNode;
  actions?: ReactNode;
};

/** The header of a screen. It also sets the window title. */
export function PageHeader({ title, parent, titleExtra, actions }: Props) {
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
          {titleExtra}
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
    </Stack>
  );
}
