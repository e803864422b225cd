import { Button, Card, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Countdown } from "../../components/Countdown";
import { Export } from "../../components/Export";
import { Fields } from "../../components/Fields";
import { count } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { SecretDialog } from "../../components/SecretDialog";
import { StateBadge } from "../../components/StateBadge";
import { complain, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CreateApiKeyDocument,
  type KeyFragment,
  KeysDocument,
  RevokeApiKeyDocument,
  RotateApiKeyDocument,
  UpdateApiKeyDocument,
} from "../../gql/documents";
import { KeyForm } from "./KeyForm";

const tokenWords = "Whoever has this token can call the API as this key.";

const fileTitles = [
  "Name",
  "Purpose",
  "For",
  "Scopes",
  "Addresses",
  "Calls",
  "Last used",
  "From",
  "Made",
  "Expires",
  "Ends",
  "Revoked",
];

const fileRow = (key: KeyFragment) => [
  key.name,
  key.purpose,
  key.kind,
  key.scopes.join(" "),
  key.ipAllowList.join(" "),
  key.callCount,
  key.lastUsedAt,
  key.lastUsedAddress,
  key.createdAt,
  key.expiresAt,
  key.retiresAt,
  key.revokedAt,
];

/** Keys are those by which other systems call. Their tokens are shown once, when they are made. */
export function Keys() {
  const result = useQuery(graphQuery(KeysDocument, {}));
  const [token, setToken] = useState<string>();
  return (
    <Stack>
      <PageHeader
        title="API keys"
        actions={
          <>
            <Export
              name="API keys"
              titles={fileTitles}
              page={() => ({ rows: (result.data?.apiKeys ?? []).map(fileRow), next: null })}
            />
            <NewKeyButton made={setToken} />
          </>
        }
      />
      <Loaded what="keys" record={result.data?.apiKeys} error={result.error} retry={result.refetch}>
        {(keys) =>
          keys.length === 0 ? (
            <Text c="dimmed">No keys yet. Another system needs one to call the API.</Text>
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0} aria-label="API keys" style={{ listStyle: "none" }}>
              {keys.map((key) => (
                <KeyCard key={key.id} of={key} rotated={setToken} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <SecretDialog title="The key's token" what={tokenWords} secret={token} close={() => setToken(undefined)} />
    </Stack>
  );
}

/** stateOf says whether a key is good, and if not, why. */
function stateOf(key: KeyFragment) {
  if (key.revokedAt) {
    return <StateBadge state="REVOKED" />;
  }
  if (!key.isValid) {
    return <StateBadge state="EXPIRED" label={key.retiresAt ? "Replaced" : "Expired"} />;
  }
  return key.retiresAt ? (
    <StateBadge state="PENDING" label="Being replaced" />
  ) : (
    <StateBadge state="ACTIVE" label="In force" />
  );
}

function KeyCard({ of: key, rotated }: { of: KeyFragment; rotated: (token: string) => void }) {
  return (
    <Card component="li" withBorder>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2} style={{ overflowWrap: "anywhere" }}>
              {key.name}
            </Title>
            {stateOf(key)}
            <StateBadge state={key.kind} label={key.kind === "TEST" ? "Sandbox" : "Live"} />
          </Group>
          {key.isValid && <Actions of={key} rotated={rotated} />}
        </Group>
        <Text size="sm">
          <Text span inherit c="dimmed">
            Scopes
          </Text>{" "}
          {key.scopes.join(", ")}
        </Text>
        <Fields
          label={key.name}
          of={[
            ["Purpose", key.purpose],
            ["Token", `… ${key.last4}`],
            ["From addresses", key.ipAllowList.length === 0 ? "Any" : key.ipAllowList.join(", ")],
            ["Requests a minute", key.rateLimit === 0 ? "Without a limit" : count(key.rateLimit)],
            ["Calls so far", count(key.callCount)],
            ["Last used", key.lastUsedAt ? <LastUse key="last" of={key} /> : "Never"],
            ["Made", <Instant key="made" at={key.createdAt} />],
            key.retiresAt
              ? ["The old token works for another", <Countdown key="retires" to={key.retiresAt} over="Not any more" />]
              : ["Expires", key.expiresAt ? <Instant key="expires" at={key.expiresAt} /> : "Never"],
          ]}
        />
      </Stack>
    </Card>
  );
}

function LastUse({ of: key }: { of: KeyFragment }) {
  return (
    <>
      <Instant at={key.lastUsedAt} relative />
      {key.lastUsedAddress ? ` from ${key.lastUsedAddress}` : ""}
    </>
  );
}

function Actions({ of: key, rotated }: { of: KeyFragment; rotated: (token: string) => void }) {
  const [opened, dialog] = useDisclosure();
  const [update] = useAct(UpdateApiKeyDocument);
  const [rotate] = useAct(RotateApiKeyDocument);
  const [revoke] = useAct(RevokeApiKeyDocument);
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={dialog.open} aria-label={`Edit ${key.name}`}>
        Edit
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={`Edit ${key.name}`}
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <KeyForm
          initial={key}
          submitLabel="Save"
          cancel={dialog.close}
          save={async ({ name, purpose, scopes, ipAllowList }) => {
            const { problem } = await update({ id: key.id, input: { name, purpose, scopes, ipAllowList } });
            if (!problem) {
              tell(`${name} is saved.`);
              dialog.close();
            }
            return problem;
          }}
        />
      </Modal>
      {!key.retiresAt && (
        <ConfirmButton
          size="xs"
          label="Rotate"
          consequence={`A key like ${key.name} takes its place. The old token works for another 24 hours.`}
          run={async () => {
            const { data, problem } = await rotate({ id: key.id });
            if (problem) {
              complain(problem);
            } else if (data.rotateApiKey) {
              rotated(data.rotateApiKey.token);
            }
          }}
        />
      )}
      <ConfirmButton
        size="xs"
        danger
        label="Revoke"
        consequence={`Whatever calls with ${key.name} is refused within a second. This cannot be taken back.`}
        run={async () => {
          const { problem } = await revoke({ id: key.id });
          if (problem) {
            complain(problem);
          } else {
            tell(`${key.name} is revoked.`);
          }
        }}
      />
    </Group>
  );
}

function NewKeyButton({ made }: { made: (token: string) => void }) {
  const [opened, dialog] = useDisclosure();
  const [create] = useAct(CreateApiKeyDocument);
  return (
    <>
      <Button onClick={dialog.open}>New key</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New key"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <KeyForm
          submitLabel="Make key"
          cancel={dialog.close}
          save={async (input) => {
            const { data, problem } = await create({ input });
            if (data?.createApiKey) {
              dialog.close();
              made(data.createApiKey.token);
            }
            return problem;
          }}
        />
      </Modal>
    </>
  );
}
