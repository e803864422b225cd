import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { Provider } from "urql";
import { newClient } from "../gql/client";
import { router } from "../routes/router";
import { end } from "../session/session";
import { readable, theme } from "./theme";

/** leave goes to the login once the session has ended, and has it lead back here. */
function leave() {
  if (end()) {
    void router.navigate({ to: "/login", search: { to: router.state.location.href, expired: true } });
  }
}

export function App({ nonce }: { nonce: string }) {
  const [client] = useState(() => newClient(leave));
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readable}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-left" limit={4} />
      <Provider value={client}>
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  );
}
