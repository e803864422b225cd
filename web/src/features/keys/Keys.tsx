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
import { graphQuery } from "../../gql/client";
import {
  type ApiKeyFieldsFragment,
  ApiKeysDocument,
  CreateApiKeyDocument,
  RevokeApiKeyDocument,
  RotateApiKeyDocument,
  UpdateApiKeyDocument,
} from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { KeyForm } from "./KeyForm";

const tokenWarning = "Anyone with this token can call the API with this key.";

const csvTitles = [
  "Name",
  "Purpose",
  "Environment",
  "Scopes",
  "Addresses",
  "Calls",
  "Last used",
  "Last used from",
  "Created",
  "Expires",
  "Retires",
  "Revoked",
];

const csvRow = (key: ApiKeyFieldsFragment) => [
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

/** The company's API keys. A token is shown once, on creation. */
export function Keys() {
  const result = useQuery(graphQuery(ApiKeysDocument, {}));
  const [token, setToken] = useState<string>();
  return (
    <Stack>
      <PageHeader
        title="API keys"
        actions={
          <>
            <Export
              name="API keys"
              titles={csvTitles}
              page={() => ({ rows: (result.data?.apiKeys ?? []).map(csvRow), next: null })}
            />
            <NewKeyButton onCreated={setToken} />
          </>
        }
      />
      <Loaded noun="keys" record={result.data?.apiKeys} error={result.error} retry={result.refetch}>
        {(keys) =>
          keys.length === 0 ? (
            <Text c="dimmed">No API keys yet. Create one to connect another system.</Text>
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0} aria-label="API keys" style={{ listStyle: "none" }}>
              {keys.map((key) => (
                <KeyCard key={key.id} apiKey={key} onRotated={setToken} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <SecretDialog title="API key token" description={tokenWarning} secret={token} close={() => setToken(undefined)} />
    </Stack>
  );
}

/** The state of a key for its badge. */
function stateOf(key: ApiKeyFieldsFragment) {
  if (key.revokedAt) {
    return <StateBadge state="REVOKED" />;
  }
  if (!key.isValid) {
    return <StateBadge state="EXPIRED" label={key.retiresAt ? "Replaced" : "Expired"} />;
  }
  return key.retiresAt ? (
    <StateBadge state="PENDING" label="Expiring soon" />
  ) : (
    <StateBadge state="ACTIVE" label="Active" />
  );
}

function KeyCard({ apiKey: key, onRotated }: { apiKey: ApiKeyFieldsFragment; onRotated: (token: string) => void }) {
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
          {key.isValid && <Actions apiKey={key} onRotated={onRotated} />}
        </Group>
        <Text size="sm">
          <Text span inherit c="dimmed">
            Scopes
          </Text>{" "}
          {key.scopes.join(", ")}
        </Text>
        <Fields
          label={key.name}
          items={[
            ["Purpose", key.purpose],
            ["Last 4", key.last4],
            ["Allowed IP addresses", key.ipAllowList.length === 0 ? "Any" : key.ipAllowList.join(", ")],
            ["Requests per minute", key.rateLimit === 0 ? "Unlimited" : count(key.rateLimit)],
            ["Total calls", count(key.callCount)],
            ["Last used", key.lastUsedAt ? <LastUse key="last" apiKey={key} /> : "Never"],
            ["Created", <Instant key="made" at={key.createdAt} />],
            key.retiresAt
              ? ["Old token works for", <Countdown key="retires" to={key.retiresAt} expiredLabel="Expired" />]
              : ["Expires", key.expiresAt ? <Instant key="expires" at={key.expiresAt} /> : "Never"],
          ]}
        />
      </Stack>
    </Card>
  );
}

function LastUse({ apiKey: key }: { apiKey: ApiKeyFieldsFragment }) {
  return (
    <>
      <Instant at={key.lastUsedAt} relative />
      {key.lastUsedAddress ? ` from ${key.lastUsedAddress}` : ""}
    </>
  );
}

function Actions({ apiKey: key, onRotated }: { apiKey: ApiKeyFieldsFragment; onRotated: (token: string) => void }) {
  const [opened, dialog] = useDisclosure();
  const [update] = useGraphMutation(UpdateApiKeyDocument);
  const [rotate] = useGraphMutation(RotateApiKeyDocument);
  const [revoke] = useGraphMutation(RevokeApiKeyDocument);
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
              showSuccess(`${name} saved.`);
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
          consequence={`Creates a new token for ${key.name}. The old one works for another 24 hours.`}
          run={async () => {
            const { data, problem } = await rotate({ id: key.id });
            if (problem) {
              showProblem(problem);
            } else if (data.rotateApiKey) {
              onRotated(data.rotateApiKey.token);
            }
          }}
        />
      )}
      <ConfirmButton
        size="xs"
        danger
        label="Revoke"
        consequence={`Calls with ${key.name} are rejected immediately. This cannot be undone.`}
        run={async () => {
          const { problem } = await revoke({ id: key.id });
          if (problem) {
            showProblem(problem);
          } else {
            showSuccess(`${key.name} revoked.`);
          }
        }}
      />
    </Group>
  );
}

function NewKeyButton({ onCreated }: { onCreated: (token: string) => void }) {
  const [opened, dialog] = useDisclosure();
  const [create] = useGraphMutation(CreateApiKeyDocument);
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
          submitLabel="Create key"
          cancel={dialog.close}
          save={async (input) => {
            const { data, problem } = await create({ input });
            if (data?.createApiKey) {
              dialog.close();
              onCreated(data.createApiKey.token);
            }
            return problem;
          }}
        />
      </Modal>
    </>
  );
}
