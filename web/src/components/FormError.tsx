import { Text } from "@mantine/core";
import type { Problem } from "../session/auth";

/** Shows why a request failed, with the details that none of the form's fields shows. */
export function FormError({ problem, fields = [] }: { problem: Problem | undefined; fields?: readonly string[] }) {
  const details = problem?.details ?? [];
  const otherDetails = details.filter((d) => !fields.includes(rootField(d.path)));
  const shownByFields = details.length > 0 && otherDetails.length === 0;
  return (
    <div role="alert">
      {problem && !shownByFields && (
        <Text c="var(--mantine-color-error)" size="sm">
          {[problem.message, ...otherDetails.map((d) => `${d.path} ${d.message}`)].join(" ")}
          {problem.requestId ? ` (request ${problem.requestId})` : ""}
        </Text>
      )}
    </div>
  );
}

/** Returns the error of a field or of one of its entries. */
export const fieldError = (problem: Problem | undefined, field: string) =>
  problem?.details.find((d) => rootField(d.path) === field)?.message;

/** Returns the field of a path: events for events[2]. */
const rootField = (path: string) => path.replace(/\[.*/, "");
