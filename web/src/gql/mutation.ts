import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { Problem } from "../session/auth";
import { type GraphError, runMutation } from "./request";
import type { TypedDocument } from "./typed";

/** The data of a mutation, or why it failed. */
export type Outcome<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem };

/**
 * Sends a mutation. Returns a problem instead of throwing, for forms to show at their fields. If the component was
 * unmounted meanwhile, the problem is shown as a notification.
 */
export function useGraphMutation<Data, Variables extends Record<string, unknown>>(
  document: TypedDocument<Data, Variables>,
) {
  const { mutateAsync, isPending } = useMutation<Data, GraphError, Variables>({
    mutationFn: (variables) => runMutation(document, variables, showAlreadySaved),
  });
  const isUnmounted = useIsUnmounted();
  const mutation = useCallback(
    async (variables: Variables): Promise<Outcome<Data>> => {
      try {
        return { data: await mutateAsync(variables) };
      } catch (error) {
        const problem = mutationProblem(error as GraphError);
        if (isUnmounted()) {
          showProblem(problem);
        }
        return { problem };
      }
    },
    [mutateAsync, isUnmounted],
  );
  return [mutation, isPending] as const;
}

/** Returns a function that reports whether the component was unmounted. */
export function useIsUnmounted(): () => boolean {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return useCallback(() => !mounted.current, []);
}

/** The problem of a failed mutation. Without a response it may have been saved. */
function mutationProblem({ problem, kind }: GraphError): Problem {
  return kind.network
    ? new Problem(
        `${problem.message} Your change may have been saved. Sending it again will not duplicate it.`,
        problem.code,
        problem.requestId,
        [],
      )
    : problem;
}

let lastNotification = "";

/** Shows a short notification that replaces the previous one. */
export function showSuccess(message: string) {
  notifications.hide(lastNotification);
  lastNotification = notifications.show({ message, color: "brand", withBorder: true, className: "click-through" });
}

/** Tells the user that a resent mutation had been saved the first time, although its response was lost. */
export function showAlreadySaved() {
  notifications.show({ message: "This was already saved, so it was not repeated.", withBorder: true });
}

/** Shows a mutation's success message or problem. Returns whether it succeeded. */
export async function showOutcome(mutation: Promise<Outcome<unknown>>, message: string): Promise<boolean> {
  const { problem } = await mutation;
  if (problem) {
    showProblem(problem);
  } else {
    showSuccess(message);
  }
  return !problem;
}

/** Shows a problem until it is closed. The same problem is shown once. */
export function showProblem(problem: Problem) {
  const details = problem.details.map((d) => `${d.path}: ${d.message}`).join("; ");
  notifications.show({
    id: problem.requestId ?? problem.message,
    title: details ? `${problem.message} ${details}` : problem.message,
    message: problem.requestId ? `Request ${problem.requestId}` : undefined,
    color: "red.9",
    autoClose: false,
    withBorder: true,
  });
}
