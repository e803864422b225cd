import { Text } from "@mantine/core";
import type { Problem } from "../session/auth";

/** Refused says why something was refused, and what of it stands at none of the form's own fields. */
export function Refused({ problem, fields = [] }: { problem: Problem | undefined; fields?: readonly string[] }) {
  const details = problem?.details ?? [];
  const elsewhere = details.filter((d) => !fields.includes(d.path));
  const silent = details.length > 0 && elsewhere.length === 0;
  return (
    <div role="alert">
      {problem && !silent && (
        <Text c="var(--mantine-color-error)" size="sm">
          {[problem.message, ...elsewhere.map((d) => `${d.path} ${d.message}`)].join(" ")}
          {problem.requestId ? ` (request ${problem.requestId})` : ""}
        </Text>
      )}
    </div>
  );
}

/** saidOf is what a problem says of one field. */
export const saidOf = (problem: Problem | undefined, field: string) =>
  problem?.details.find((d) => d.path === field)?.message;
