import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { newClient, refetchAll } from "../gql/client";
import { router } from "../routes/router";
import { useExpired, useMaybeSession } from "../session/session";
import { accessibleColors, signInTheme, theme } from "./theme";

/**
 * Returns the signed-in user's query client: another user gets a new one. Refetches all queries once an expired session
 * is renewed.
 */
function useClient(): QueryClient {
  const userId = useMaybeSession()?.user.id;
  const expired = useExpired();
  const [cache, setCache] = useState(() => ({ client: newClient(), userId }));
  if (userId !== undefined && userId !== cache.userId) {
    setCache({ client: newClient(), userId });
  }
  const wasExpired = useRef(expired);
  useEffect(() => {
    if (wasExpired.current && !expired) {
      void refetchAll(cache.client);
    }
    wasExpired.current = expired;
  }, [expired, cache.client]);
  return cache.client;
}

export function App({ nonce }: { nonce: string }) {
  const client = useClient();
  const expired = useExpired();
  return (
    <MantineProvider
      theme={expired ? signInTheme : theme}
      cssVariablesResolver={accessibleColors}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-left" limit={4} />
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
