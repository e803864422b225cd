import { MultiSelect, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { SaveForm } from "../../components/SaveForm";
import { eventKinds } from "../../gql/contract";
import type { Problem } from "../../session/auth";

type Input = { url: string; events: string[] };

type Props = {
  initial?: Input;
  submitLabel: string;
  save: (input: Input) => Promise<Problem | undefined>;
  cancel: () => void;
};

const allEvents = "*";

const fields = ["url", "events"];

/** Edits an endpoint: its URL and the events that it receives. */
export function EndpointForm({ initial, submitLabel, save, cancel }: Props) {
  const [url, setUrl] = useState(initial?.url ?? "");
  const [all, setAll] = useState(initial ? initial.events.includes(allEvents) : true);
  const [events, setEvents] = useState(initial?.events.filter((e) => e !== allEvents) ?? []);
  const send = () => save({ url, events: all ? [allEvents] : events });
  return (
    <SaveForm submitLabel={submitLabel} fields={fields} save={send} cancel={cancel}>
      {(errorOf) => (
        <>
          <TextInput
            label="URL"
            description="A public https URL"
            type="url"
            value={url}
            onChange={(e) => setUrl(e.currentTarget.value)}
            error={errorOf("url")}
            required
          />
          <Switch
            label="Send all events, including future ones"
            checked={all}
            onChange={(e) => setAll(e.currentTarget.checked)}
          />
          {!all && (
            <MultiSelect
              label="Events"
              data={eventKinds.map((k) => k.event).filter((e) => e !== "webhook.test")}
              value={events}
              onChange={setEvents}
              error={errorOf("events")}
              searchable
              required
            />
          )}
        </>
      )}
    </SaveForm>
  );
}
