import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { useIsUnmounted } from "../gql/mutation";

/** Navigates to what a mutation created, unless the user has left the screen in the meantime. */
export function useSafeNavigate(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate();
  const isUnmounted = useIsUnmounted();
  const go: typeof navigate = useCallback(
    (options) => (isUnmounted() ? Promise.resolve() : navigate(options)),
    [navigate, isUnmounted],
  );
  return go;
}
