import { ActionIcon, Button, Group, Menu, useMantineColorScheme } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronDown, Monitor, Moon, Sun } from "lucide-react";
import { Bell } from "../features/notifications/Bell";
import { showProblem } from "../gql/mutation";
import { auth, Problem } from "../session/auth";
import { endSession, useSession } from "../session/session";

/** Shows the signed-in user, with the account menu. */
export function Account() {
  const session = useSession();
  const navigate = useNavigate();
  const signOut = async () => {
    try {
      await auth.logout();
      await navigate({ to: "/login" });
      endSession();
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      showProblem(error);
    }
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <Bell />
      <ThemeMenu />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            h={34}
            fw={500}
            rightSection={<ChevronDown size={14} aria-hidden />}
            maw={{ base: 130, xs: 240 }}
          >
            {session.user.name || session.user.email}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{session.user.email}</Menu.Label>
          <Menu.Label>
            {session.user.role.name}, {session.tenant.name}
          </Menu.Label>
          <Menu.Divider />
          <Menu.Item component={Link} to="/account">
            Your account
          </Menu.Item>
          <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

const schemes = {
  light: { title: "Light", icon: Sun },
  dark: { title: "Dark", icon: Moon },
  auto: { title: "System", icon: Monitor },
} as const;

function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = schemes[colorScheme].icon;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Color theme">
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(["light", "dark", "auto"] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={scheme === colorScheme ? "true" : undefined}
          >
            {schemes[scheme].title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
