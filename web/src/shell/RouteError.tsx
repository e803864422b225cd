import { Stack } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ErrorPanel } from "../components/ErrorPanel";
import { Problem } from "../session/auth";

/**
 * RouteError replaces a screen that failed, inside the shell. The browser remembers that a script could not be loaded,
 * so only a reload tries again.
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
