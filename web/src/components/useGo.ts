import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { useUnmounted } from "../gql/mutation";

/** Navigates to what a mutation created, unless the user has left the screen in the meantime. */
export function useGo(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate();
  const gone = useUnmounted();
  const go: typeof navigate = useCallback(
    (options) => (gone() ? Promise.resolve() : navigate(options)),
    [navigate, gone],
  );
  return go;
}
