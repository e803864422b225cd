import { Text } from "@mantine/core";
import type { Problem } from "../session/auth";

/** Shows why a request failed, with the details that none of the form's fields shows. */
export function Refused({ problem, fields = [] }: { problem: Problem | undefined; fields?: readonly string[] }) {
  const details = problem?.details ?? [];
  const elsewhere = details.filter((d) => !fields.includes(fieldOf(d.path)));
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

/** Returns the error of a field or of one of its entries. */
export const saidOf = (problem: Problem | undefined, field: string) =>
  problem?.details.find((d) => fieldOf(d.path) === field)?.message;

/** Returns the field of a path: events for events[2]. */
const fieldOf = (path: string) => path.replace(/\[.*/, "");
