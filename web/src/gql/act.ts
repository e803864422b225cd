import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import { type TypedDocumentNode, useMutation } from "urql";
import type { Problem } from "../session/auth";
import { problemOf } from "./client";

/** Outcome is what a mutation has made, or why it was refused. */
export type Outcome<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem };

/**
 * useAct sends a mutation. What it answers is for a form, which shows a problem at its fields. Of the type that is named,
 * everything is read again even where it was refused, since then it may not be as it is shown.
 */
export function useAct<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  type?: string,
) {
  const [state, execute] = useMutation(document);
  const act = useCallback(
    async (variables: Variables): Promise<Outcome<Data>> => {
      const result = await execute(
        variables as Parameters<typeof execute>[0],
        type ? { additionalTypenames: [type] } : undefined,
      );
      return result.error ? { problem: problemOf(result.error) } : { data: result.data as Data };
    },
    [execute, type],
  );
  return [act, state.fetching] as const;
}

let told = "";

/** tell shows for a moment that something was done, in place of what was told before. */
export function tell(message: string) {
  notifications.hide(told);
  told = notifications.show({ message, color: "brand", withBorder: true });
}

/** report tells that an act was done, or complains of why it was not, and says whether it was. */
export async function report(act: Promise<Outcome<unknown>>, said: string): Promise<boolean> {
  const { problem } = await act;
  if (problem) {
    complain(problem);
  } else {
    tell(said);
  }
  return !problem;
}

/** complain shows why something was refused, until it is closed. */
export function complain(problem: Problem) {
  const details = problem.details.map((d) => `${d.path}: ${d.message}`).join("; ");
  notifications.show({
    title: details ? `${problem.message} ${details}` : problem.message,
    message: problem.requestId ? `Request ${problem.requestId}` : undefined,
    color: "red.9",
    autoClose: false,
    withBorder: true,
  });
}
