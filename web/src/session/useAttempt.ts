import { useState } from "react";
import { Problem } from "./auth";

/** Runs an async action, with its busy state and its problem. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const attempt = async (action: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await action();
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, attempt, reset: () => setProblem(undefined) };
}
