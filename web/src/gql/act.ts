import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { Problem } from "../session/auth";
import { type GraphError, write } from "./request";
import type { TypedDocument } from "./typed";

/** Outcome is what a mutation has made, or why it was refused. */
export type Outcome<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem };

/**
 * useAct sends a mutation. What it answers is for a form, which shows a problem at its fields. A refusal that comes when the
 * asker is gone from the screen is complained of.
 */
export function useAct<Data, Variables extends Record<string, unknown>>(document: TypedDocument<Data, Variables>) {
  const { mutateAsync, isPending } = useMutation<Data, GraphError, Variables>({
    mutationFn: (variables) => write(document, variables, tellBefore),
  });
  const gone = useGone();
  const act = useCallback(
    async (variables: Variables): Promise<Outcome<Data>> => {
      try {
        return { data: await mutateAsync(variables) };
      } catch (error) {
        const problem = refusal(error as GraphError);
        if (gone()) {
          complain(problem);
        }
        return { problem };
      }
    },
    [mutateAsync, gone],
  );
  return [act, isPending] as const;
}

/** useGone reports whether the component has left the screen. */
export function useGone(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return useCallback(() => !here.current, []);
}

/** refusal is the problem of a failed mutation. Without an answer it may have been done. */
function refusal({ problem, kind }: GraphError): Problem {
  return kind.network
    ? new Problem(
        `${problem.message} This may have been done all the same: sent again as it is, it is not done twice.`,
        problem.code,
        problem.requestId,
        [],
      )
    : problem;
}

let told = "";

/** tell shows for a moment that something was done, in place of what was told before. */
export function tell(message: string) {
  notifications.hide(told);
  told = notifications.show({ message, color: "brand", withBorder: true });
}

/** tellBefore shows that what was asked for had been done before, although its answer was lost, and was not done again. */
export function tellBefore() {
  notifications.show({ message: "That had been done before, and was not done again.", withBorder: true });
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

/** complain shows why something was refused, once and until it is closed. */
export function complain(problem: Problem) {
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
