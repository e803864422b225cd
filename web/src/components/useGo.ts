import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { useGone } from "../gql/act";

/** useGo leads to what an act has made, unless whoever asked for it is elsewhere by the time that it is answered. */
export function useGo(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate();
  const gone = useGone();
  const go: typeof navigate = useCallback(
    (options) => (gone() ? Promise.resolve() : navigate(options)),
    [navigate, gone],
  );
  return go;
}
