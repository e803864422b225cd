import { Center, Loader } from "@mantine/core";

/** Placeholder for a screen that is loading. */
export function Pending() {
  return (
    <Center mih="40vh">
      <Loader aria-label="Loading" role="status" />
    </Center>
  );
}
