import { Accordion, Stack, Text } from "@mantine/core";
import { RawJson } from "../../components/JsonView";
import { eventKinds } from "../../gql/contract";

/** Describes every kind of event, with an example payload. */
export function EventCatalog() {
  return (
    <Accordion variant="separated" order={2}>
      {eventKinds.map((kind) => (
        <Accordion.Item key={kind.event} value={kind.event}>
          <Accordion.Control>{kind.event}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <Text>{kind.description}</Text>
              <Text size="sm" c="dimmed">
                Version {kind.version}. An example of its payload:
              </Text>
              <RawJson value={kind.example} label={`Example of ${kind.event}`} />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
