import { Stack } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ErrorPanel } from "../components/ErrorPanel";
import { Problem } from "../session/auth";

/**
 * Replaces a screen that crashed, inside the shell. Browsers cache a failed module load, so only a reload retries it.
 */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const problem =
    error instanceof Problem ? error : new Problem("Something went wrong on this page.", "", undefined, []);
  return (
    <Stack p="md">
      <ErrorPanel
        problem={problem}
        retry={() => {
          if (!(error instanceof Problem)) {
            window.location.reload();
            return;
          }
          reset();
          void router.invalidate();
        }}
      />
    </Stack>
  );
}
