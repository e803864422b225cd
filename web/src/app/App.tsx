import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Provider } from "urql";
import { tellBefore } from "../gql/act";
import { newClient } from "../gql/client";
import { router } from "../routes/router";
import { useExpired, useMaybeSession } from "../session/session";
import { held, readable, theme } from "./theme";

/** useGraph is the client of whoever is signed in; it asks again what was refused because the session had ended. */
function useGraph() {
  const who = useMaybeSession()?.user.id;
  const expired = useExpired();
  const [graph, setGraph] = useState(() => ({ ...newClient(tellBefore), who }));
  if (who !== undefined && who !== graph.who) {
    setGraph({ ...newClient(tellBefore), who });
  }
  const { client, resume } = graph;
  useEffect(() => {
    if (!expired) {
      resume();
    }
  }, [expired, resume]);
  return client;
}

export function App({ nonce }: { nonce: string }) {
  const client = useGraph();
  const expired = useExpired();
  return (
    <MantineProvider
      theme={expired ? held : theme}
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
