import { NavLink } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import {
  CircleDollarSign,
  FileInput,
  Gauge,
  Handshake,
  KeyRound,
  type LucideIcon,
  Store,
  UserRoundPlus,
  Webhook,
} from "lucide-react";
import { useCan } from "../session/permissions";

type Place = { to: string; title: string; icon: LucideIcon; needs?: string };

/** Where one can go. What a role may not see is not offered. */
export const places: Place[] = [
  { to: "/", title: "Dashboard", icon: Gauge },
  { to: "/applications", title: "Applications", icon: FileInput, needs: "applications:read" },
  { to: "/leads", title: "Leads", icon: UserRoundPlus, needs: "leads:read" },
  { to: "/merchants", title: "Merchants", icon: Store, needs: "merchants:read" },
  { to: "/deals", title: "Deals", icon: Handshake, needs: "deals:read" },
  { to: "/payments", title: "Payments", icon: CircleDollarSign, needs: "payments:read" },
  { to: "/settings/webhooks", title: "Webhooks", icon: Webhook, needs: "webhooks:read" },
  { to: "/settings/keys", title: "API keys", icon: KeyRound, needs: "edit-company-settings" },
];

export function Navigation() {
  const can = useCan();
  const { pathname } = useLocation();
  return (
    <nav aria-label="Main">
      {places
        .filter((place) => !place.needs || can(place.needs))
        .map(({ to, title, icon: Icon }) => {
          const here = to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`);
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={title}
              leftSection={<Icon size={18} aria-hidden />}
              active={here}
              variant="filled"
              aria-current={here ? "page" : undefined}
            />
          );
        })}
    </nav>
  );
}
