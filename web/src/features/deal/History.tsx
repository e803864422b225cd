import { Accordion, Stack, Text } from "@mantine/core";
import { changed } from "../../components/changes";
import { Source } from "../../components/Data";
import { words } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Live } from "../../components/Live";
import { DealActivityDocument, DealHistoryDocument } from "../../gql/documents";
import { useStream, useTurn } from "../../gql/stream";
import { Part } from "./Part";

/** Shows who changed a deal, what changed, and through which surface. */
export default function History({ id }: { id: string }) {
  const [turn, happened] = useTurn();
  const live = useStream(DealActivityDocument, { id }, (data) => data.dealActivity?.id, happened);
  return (
    <Stack>
      <Live state={live} />
      <Part
        id={id}
        turn={turn}
        what="history"
        document={DealHistoryDocument}
        list={(data) => data.deal?.history}
        empty="No activity on this deal yet."
      >
        {(entries) => (
          <Accordion variant="separated" order={2}>
            {entries.map((entry) => (
              <Accordion.Item key={entry.id} value={entry.id}>
                <Accordion.Control>
                  {words(entry.action.replace(".", "_"))} by {entry.actorName}, <Instant at={entry.createdAt} />
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack gap="xs">
                    <Text size="sm" c="dimmed">
                      Source: {words(entry.surface)}, request {entry.requestId}
                    </Text>
                    <Source value={changed(entry)} label="Changes" />
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Part>
    </Stack>
  );
}
