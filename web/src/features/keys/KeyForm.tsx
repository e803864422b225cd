import { Button, Group, MultiSelect, Select, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { scopes as all } from "../../gql/contract";
import type { ApiKeyKind, KeyFragment, NewApiKey } from "../../gql/documents";
import { showProblem, useUnmounted } from "../../gql/mutation";
import type { Problem } from "../../session/auth";

type Props = {
  /** The key that is edited; its kind and its expiry stay. */
  initial?: KeyFragment;
  submitLabel: string;
  save: (input: NewApiKey) => Promise<Problem | undefined>;
  cancel: () => void;
};

const lifetimes = [
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After 1 year" },
  { value: "", label: "Never" },
];

/** KeyForm asks what a key may do, and from where. */
export function KeyForm({ initial, submitLabel, save, cancel }: Props) {
  const [name, setName] = useState(initial?.name ?? "");
  const [purpose, setPurpose] = useState(initial?.purpose ?? "");
  const [kind, setKind] = useState<ApiKeyKind>(initial?.kind ?? "LIVE");
  const [scopes, setScopes] = useState(initial?.scopes ?? []);
  const [addresses, setAddresses] = useState(initial?.ipAllowList ?? []);
  const [expires, setExpires] = useState("90");
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const gone = useUnmounted();
  const shown = ["name", "purpose", "kind", "scopes", "expiresDays", "ipAllowList"];
  const of = (path: string) => problem?.details.find((d) => d.path.replace(/\[.*/, "") === path)?.message;
  const elsewhere = problem && !problem.details.some((d) => shown.includes(d.path.replace(/\[.*/, "")));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const expiresDays = expires === "" ? null : Number(expires);
    const refused = await save({ name, purpose: purpose || null, kind, scopes, ipAllowList: addresses, expiresDays });
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
          label="Name"
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          error={of("name")}
          required
        />
        <TextInput
          label="Purpose"
          value={purpose}
          onChange={(e) => setPurpose(e.currentTarget.value)}
          error={of("purpose")}
        />
        {!initial && (
          <Select
            label="Environment"
            data={[
              { value: "LIVE", label: "Live" },
              { value: "TEST", label: "Sandbox" },
            ]}
            value={kind}
            onChange={(v) => setKind(v === "TEST" ? "TEST" : "LIVE")}
            allowDeselect={false}
            error={of("kind")}
          />
        )}
        <MultiSelect
          label="Scopes"
          description="Permissions of the key. Write includes read; *:read reads everything"
          data={["*:read", ...all]}
          value={scopes}
          onChange={setScopes}
          error={of("scopes")}
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Clear scopes" }}
          required
        />
        <TagsInput
          label="Allowed IP addresses"
          description="IPv4 or IPv6 addresses, or IPv4 ranges. Leave empty to allow any"
          value={addresses}
          onChange={setAddresses}
          error={of("ipAllowList")}
        />
        {!initial && (
          <Select
            label="Expires"
            data={lifetimes}
            value={expires}
            onChange={(v) => setExpires(v ?? "")}
            allowDeselect={false}
            error={of("expiresDays")}
          />
        )}
        <div role="alert">
          {elsewhere && (
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
