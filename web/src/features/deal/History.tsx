import { Accordion, Stack, Text } from "@mantine/core";
import { diff } from "../../components/diff";
import { humanize } from "../../components/format";
import { Instant } from "../../components/Instant";
import { RawJson } from "../../components/JsonView";
import { Live } from "../../components/Live";
import { DealActivityDocument, DealHistoryDocument } from "../../gql/documents";
import { useRefreshKey, useStream } from "../../gql/stream";
import { DealList } from "./DealList";

/** Shows who changed a deal, what changed, and through which surface. */
export default function History({ id }: { id: string }) {
  const [refreshKey, refresh] = useRefreshKey();
  const live = useStream(DealActivityDocument, { id }, (data) => data.dealActivity?.id, refresh);
  return (
    <Stack>
      <Live state={live} />
      <DealList
        id={id}
        refreshKey={refreshKey}
        noun="history"
        document={DealHistoryDocument}
        list={(data) => data.deal?.history}
        empty="No activity on this deal yet."
      >
        {(entries) => (
          <Accordion variant="separated" order={2}>
            {entries.map((entry) => (
              <Accordion.Item key={entry.id} value={entry.id}>
                <Accordion.Control>
                  {humanize(entry.action.replace(".", "_"))} by {entry.actorName}, <Instant at={entry.createdAt} />
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack gap="xs">
                    <Text size="sm" c="dimmed">
                      Source: {humanize(entry.surface)}, request {entry.requestId}
                    </Text>
                    <RawJson value={diff(entry)} label="Changes" />
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </DealList>
    </Stack>
  );
}
