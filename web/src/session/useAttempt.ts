import { useState } from "react";
import { Problem } from "./auth";

/** useAttempt runs a call, with its busy state and the problem it ended with. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, attempt, forget: () => setProblem(undefined) };
}
