import { MultiSelect, Select, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { SaveForm } from "../../components/SaveForm";
import { scopes as all } from "../../gql/contract";
import type { ApiKeyFieldsFragment, ApiKeyKind, NewApiKey } from "../../gql/documents";
import type { Problem } from "../../session/auth";

type Props = {
  /** The key to edit. Its kind and expiry cannot change. */
  initial?: ApiKeyFieldsFragment;
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

const fields = ["name", "purpose", "kind", "scopes", "expiresDays", "ipAllowList"];

/** Edits an API key: its scopes, and the addresses it may be used from. */
export function KeyForm({ initial, submitLabel, save, cancel }: Props) {
  const [name, setName] = useState(initial?.name ?? "");
  const [purpose, setPurpose] = useState(initial?.purpose ?? "");
  const [kind, setKind] = useState<ApiKeyKind>(initial?.kind ?? "LIVE");
  const [scopes, setScopes] = useState(initial?.scopes ?? []);
  const [addresses, setAddresses] = useState(initial?.ipAllowList ?? []);
  const [expires, setExpires] = useState("90");
  const send = () =>
    save({
      name,
      purpose: purpose || null,
      kind,
      scopes,
      ipAllowList: addresses,
      expiresDays: expires === "" ? null : Number(expires),
    });
  return (
    <SaveForm submitLabel={submitLabel} fields={fields} save={send} cancel={cancel}>
      {(errorOf) => (
        <>
          <TextInput
            label="Name"
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            error={errorOf("name")}
            required
          />
          <TextInput
            label="Purpose"
            value={purpose}
            onChange={(e) => setPurpose(e.currentTarget.value)}
            error={errorOf("purpose")}
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
              error={errorOf("kind")}
            />
          )}
          <MultiSelect
            label="Scopes"
            description="Permissions of the key. Write includes read; *:read reads everything"
            data={["*:read", ...all]}
            value={scopes}
            onChange={setScopes}
            error={errorOf("scopes")}
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
            error={errorOf("ipAllowList")}
          />
          {!initial && (
            <Select
              label="Expires"
              data={lifetimes}
              value={expires}
              onChange={(v) => setExpires(v ?? "")}
              allowDeselect={false}
              error={errorOf("expiresDays")}
            />
          )}
        </>
      )}
    </SaveForm>
  );
}
