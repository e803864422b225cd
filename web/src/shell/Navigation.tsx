import { Divider, NavLink } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import {
  Building2,
  CircleDollarSign,
  ClipboardList,
  FileInput,
  Gauge,
  HandCoins,
  Handshake,
  History,
  KeyRound,
  ListChecks,
  type LucideIcon,
  PieChart,
  RefreshCw,
  Store,
  UserRoundPlus,
  Users,
  Webhook,
} from "lucide-react";
import { useCan } from "../session/permissions";
import classes from "./Shell.module.css";

type NavItem = { to: string; title: string; icon: LucideIcon; permission?: string };

/** Places to work. A role sees only those that it may open. */
const workItems: NavItem[] = [
  { to: "/", title: "Dashboard", icon: Gauge },
  { to: "/applications", title: "Applications", icon: FileInput, permission: "applications:read" },
  { to: "/leads", title: "Leads", icon: UserRoundPlus, permission: "leads:read" },
  { to: "/merchants", title: "Merchants", icon: Store, permission: "merchants:read" },
  { to: "/deals", title: "Deals", icon: Handshake, permission: "deals:read" },
  { to: "/payments", title: "Payments", icon: CircleDollarSign, permission: "payments:read" },
  { to: "/payouts", title: "Payouts", icon: HandCoins, permission: "payouts:read" },
  { to: "/renewals", title: "Renewals", icon: RefreshCw, permission: "renewals:read" },
  { to: "/syndicators", title: "Syndicators", icon: PieChart, permission: "syndicators:read" },
];

const settingsItems: NavItem[] = [
  { to: "/settings/company", title: "Company", icon: Building2, permission: "edit-company-settings" },
  { to: "/settings/users", title: "Users", icon: Users, permission: "users.manage" },
  { to: "/settings/forms", title: "Application forms", icon: ClipboardList, permission: "applications:read" },
  { to: "/settings/lists", title: "Lists", icon: ListChecks, permission: "edit-company-settings" },
  { to: "/settings/webhooks", title: "Webhooks", icon: Webhook, permission: "webhooks:read" },
  { to: "/settings/keys", title: "API keys", icon: KeyRound, permission: "edit-company-settings" },
  { to: "/settings/audit", title: "Audit log", icon: History, permission: "audit.read" },
];

export const navItems: NavItem[] = [...workItems, ...settingsItems];

const isActive = (pathname: string, to: string) =>
  to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`);

/** The place that a path belongs to, if any. */
export const navItemFor = (pathname: string) => navItems.find(({ to }) => isActive(pathname, to));

export function Navigation() {
  return (
    <nav aria-label="Main" className={classes.nav}>
      <NavItems items={workItems} />
      <Divider label="Settings" labelPosition="left" my="xs" />
      <NavItems items={settingsItems} />
    </nav>
  );
}

function NavItems({ items }: { items: NavItem[] }) {
  const can = useCan();
  const { pathname } = useLocation();
  return items
    .filter((item) => !item.permission || can(item.permission))
    .map(({ to, title, icon: Icon }) => {
      const active = isActive(pathname, to);
      return (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={title}
          leftSection={<Icon size={16} aria-hidden />}
          active={active}
          variant="filled"
          py={6}
          aria-current={active ? "page" : undefined}
        />
      );
    });
}
