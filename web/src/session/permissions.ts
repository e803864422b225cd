import { useSession } from "./session";

/**
 * Reports whether a role's permissions include the needed one, by the server's rules: write implies read, *:read is
 * read on everything, and * is everything.
 */
export function grants(permissions: readonly string[], needed: string): boolean {
  if (permissions.includes("*") || permissions.includes(needed)) {
    return true;
  }
  const [resource, verb] = needed.split(":");
  return verb === "read" && (permissions.includes("*:read") || permissions.includes(`${resource}:write`));
}

/** Reports what the signed-in member may do. This only hides controls; the server enforces permissions. */
export function useCan(): (needed: string) => boolean {
  const { permissions } = useSession();
  return (needed) => grants(permissions, needed);
}
