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

type Place = { to: string; title: string; icon: LucideIcon; needs?: string };

/** Places to work. A role sees only those that it may open. */
const work: Place[] = [
  { to: "/", title: "Dashboard", icon: Gauge },
  { to: "/applications", title: "Applications", icon: FileInput, needs: "applications:read" },
  { to: "/leads", title: "Leads", icon: UserRoundPlus, needs: "leads:read" },
  { to: "/merchants", title: "Merchants", icon: Store, needs: "merchants:read" },
  { to: "/deals", title: "Deals", icon: Handshake, needs: "deals:read" },
  { to: "/payments", title: "Payments", icon: CircleDollarSign, needs: "payments:read" },
  { to: "/payouts", title: "Payouts", icon: HandCoins, needs: "payouts:read" },
  { to: "/renewals", title: "Renewals", icon: RefreshCw, needs: "renewals:read" },
  { to: "/syndicators", title: "Syndicators", icon: PieChart, needs: "syndicators:read" },
];

const settings: Place[] = [
  { to: "/settings/company", title: "Company", icon: Building2, needs: "edit-company-settings" },
  { to: "/settings/users", title: "Users", icon: Users, needs: "users.manage" },
  { to: "/settings/forms", title: "Application forms", icon: ClipboardList, needs: "applications:read" },
  { to: "/settings/lists", title: "Lists", icon: ListChecks, needs: "edit-company-settings" },
  { to: "/settings/webhooks", title: "Webhooks", icon: Webhook, needs: "webhooks:read" },
  { to: "/settings/keys", title: "API keys", icon: KeyRound, needs: "edit-company-settings" },
  { to: "/settings/audit", title: "Audit log", icon: History, needs: "audit.read" },
];

export const places: Place[] = [...work, ...settings];

const isAt = (pathname: string, to: string) =>
  to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`);

/** The place that a path belongs to, if any. */
export const placeOf = (pathname: string) => places.find(({ to }) => isAt(pathname, to));

export function Navigation() {
  return (
    <nav aria-label="Main" className={classes.nav}>
      <Places items={work} />
      <Divider label="Settings" labelPosition="left" my="xs" />
      <Places items={settings} />
    </nav>
  );
}

function Places({ items }: { items: Place[] }) {
  const can = useCan();
  const { pathname } = useLocation();
  return items
    .filter((place) => !place.needs || can(place.needs))
    .map(({ to, title, icon: Icon }) => {
      const here = isAt(pathname, to);
      return (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={title}
          leftSection={<Icon size={16} aria-hidden />}
          active={here}
          variant="filled"
          py={6}
          aria-current={here ? "page" : undefined}
        />
      );
    });
}
