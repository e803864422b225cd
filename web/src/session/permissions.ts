import { useSession } from "./session";

/**
 * grants reports whether a role's permissions hold the one that something needs, as the server judges it: write implies
 * read, *:read is read on everything, and * is everything.
 */
export function grants(permissions: readonly string[], needed: string): boolean {
  if (permissions.includes("*") || permissions.includes(needed)) {
    return true;
  }
  const [resource, verb] = needed.split(":");
  return verb === "read" && (permissions.includes("*:read") || permissions.includes(`${resource}:write`));
}

/** useCan reports what the member of staff who is signed in may do. It hides what would be refused; the server judges. */
export function useCan(): (needed: string) => boolean {
  const { permissions } = useSession();
  return (needed) => grants(permissions, needed);
}
