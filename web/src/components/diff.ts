/** Returns the fields that a write changed, with their values before and after. */
export function diff({
  before,
  after,
}: {
  before: unknown;
  after: unknown;
}): Record<string, { from: unknown; to: unknown }> {
  const old = (before ?? {}) as Record<string, unknown>;
  const now = (after ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, { from: old[name] ?? null, to: now[name] ?? null }]),
  );
}
