import { AppShell, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useCan } from "../session/permissions";
import { Account } from "./Account";
import { Expired } from "./Expired";
import { Navigation, navItemFor } from "./Navigation";
import { NoAccess } from "./NotFound";
import classes from "./Shell.module.css";
import { Shortcuts } from "./Shortcuts";

/** The frame of every screen behind the login. */
export function Shell() {
  const [opened, menu] = useDisclosure();
  const { pathname } = useLocation();
  const can = useCan();
  const item = navItemFor(pathname);
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  const { close } = menu;
  // Screen readers continue at the new screen, as on a new page.
  useEffect(() => {
    if (shownPath.current !== pathname) {
      shownPath.current = pathname;
      close();
      main.current?.focus({ preventScroll: true });
    }
  }, [pathname, close]);
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 200, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={opened}
            />
            <Text component={Link} to="/" fw={700} fz="lg" className={classes.brand}>
              paydown
            </Text>
          </Group>
          <Account />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {item?.permission && !can(item.permission) ? <NoAccess page={item.title} /> : <Outlet />}
      </AppShell.Main>
      <Shortcuts />
      <Expired />
    </AppShell>
  );
}
