import { Center, Loader } from "@mantine/core";

/** Pending stands in for a screen that is being loaded. */
export function Pending() {
  return (
    <Center mih="40vh">
      <Loader aria-label="Loading" role="status" />
    </Center>
  );
}
