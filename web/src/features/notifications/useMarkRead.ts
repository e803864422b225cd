import { useCallback } from "react";
import { MarkAllNotificationsReadDocument, MarkNotificationsReadDocument } from "../../gql/documents";
import { showProblem, useGraphMutation } from "../../gql/mutation";

/** Marks the member's notifications as read: one, or all. */
export function useMarkRead() {
  const [mark] = useGraphMutation(MarkNotificationsReadDocument);
  const [markAll, busy] = useGraphMutation(MarkAllNotificationsReadDocument);
  const markRead = useCallback(
    async (notice: { id: string; readAt: string | null }) => {
      const { problem } = notice.readAt === null ? await mark({ ids: [notice.id] }) : {};
      if (problem) {
        showProblem(problem);
      }
    },
    [mark],
  );
  const markAllRead = useCallback(async () => {
    const { problem } = await markAll({});
    if (problem) {
      showProblem(problem);
    }
  }, [markAll]);
  return { markRead, markAllRead, busy };
}
