import { useCallback } from "react";
import { complain, useAct } from "../../gql/act";
import { MarkAllNotificationsReadDocument, MarkNotificationsReadDocument } from "../../gql/documents";

/** useReading marks one's own notifications as read: one, or all that there are. */
export function useReading() {
  const [mark] = useAct(MarkNotificationsReadDocument);
  const [markAll, busy] = useAct(MarkAllNotificationsReadDocument);
  const read = useCallback(
    async (notice: { id: string; readAt: string | null }) => {
      const { problem } = notice.readAt === null ? await mark({ ids: [notice.id] }) : {};
      if (problem) {
        complain(problem);
      }
    },
    [mark],
  );
  const readAll = useCallback(async () => {
    const { problem } = await markAll({});
    if (problem) {
      complain(problem);
    }
  }, [markAll]);
  return { read, readAll, busy };
}
