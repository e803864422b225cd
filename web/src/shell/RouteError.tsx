import { Stack } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ErrorPanel } from "../components/ErrorPanel";
import { Problem } from "../session/auth";

/** RouteError takes the place of a screen that failed; what is around it stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const problem =
    error instanceof Problem
      ? error
      : new Problem("This screen has failed. Try again, or reload the page.", "", undefined, []);
  return (
    <Stack p="md">
      <ErrorPanel
        problem={problem}
        retry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Stack>
  );
}
