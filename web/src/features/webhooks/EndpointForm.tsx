import { Button, Group, MultiSelect, Stack, Switch, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { eventKinds } from "../../gql/contract";
import { showProblem, useUnmounted } from "../../gql/mutation";
import type { Problem } from "../../session/auth";

type Input = { url: string; events: string[] };

type Props = {
  initial?: Input;
  submitLabel: string;
  save: (input: Input) => Promise<Problem | undefined>;
  cancel: () => void;
};

const everything = "*";

/** EndpointForm asks for an address and the kinds of event that it is to hear of. */
export function EndpointForm({ initial, submitLabel, save, cancel }: Props) {
  const [url, setUrl] = useState(initial?.url ?? "");
  const [all, setAll] = useState(initial ? initial.events.includes(everything) : true);
  const [events, setEvents] = useState(initial?.events.filter((e) => e !== everything) ?? []);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const gone = useUnmounted();
  const of = (path: string) => problem?.details.find((d) => d.path === path || d.path.startsWith(`${path}[`))?.message;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const refused = await save({ url, events: all ? [everything] : events });
    if (refused && gone()) {
      showProblem(refused);
    }
    setProblem(refused);
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <TextInput
          label="URL"
          description="A public https URL"
          type="url"
          value={url}
          onChange={(e) => setUrl(e.currentTarget.value)}
          error={of("url")}
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
            error={of("events")}
            searchable
            required
          />
        )}
        <div role="alert">
          {problem && !of("url") && !of("events") && (
            <Text c="var(--mantine-color-error)" size="sm">
              {[problem.message, ...problem.details.map((d) => `${d.path} ${d.message}`)].join(" ")}
            </Text>
          )}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
