import { Stack } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ErrorPanel } from "../components/ErrorPanel";
import { Problem } from "../session/auth";

/**
 * RouteError takes the place of a screen that failed; what is around it stays. A part of the program that could not be loaded is
 * remembered as such, so that only a page that is loaded anew tries again.
 */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const problem = error instanceof Problem ? error : new Problem("This screen has failed.", "", undefined, []);
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
