import { Button, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { count } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { SecretDialog } from "../../components/SecretDialog";
import { Section } from "../../components/Section";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import { eventKinds } from "../../gql/contract";
import {
  DeleteWebhookEndpointDocument,
  RotateWebhookSecretDocument,
  TestWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
  WebhookEndpointDocument,
  type WebhookEndpointFieldsFragment,
} from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { LiveDeliveries } from "./Deliveries";
import { EndpointForm } from "./EndpointForm";
import { stateOf } from "./Webhooks";

export function Endpoint() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(WebhookEndpointDocument, { id }));
  const can = useCan();
  return (
    <Loaded noun="endpoint" record={result.data?.webhookEndpoint} error={result.error} retry={result.refetch}>
      {(endpoint) => (
        <Stack>
          <PageHeader
            title={endpoint.url}
            parent={{ to: "/settings/webhooks", title: "Webhooks" }}
            titleExtra={stateOf(endpoint)}
            actions={can("webhooks:write") && can("edit-company-settings") && <Actions endpoint={endpoint} />}
          />
          <Section title="Details">
            {endpoint.disabledReason && <Text>Paused: {endpoint.disabledReason}</Text>}
            <Fields
              label="Details"
              items={[
                ["Events", endpoint.events.includes("*") ? "All events" : endpoint.events.join(", ")],
                ["Consecutive failures", count(endpoint.failureStreak)],
                ["Last delivery", <Instant key="last" at={endpoint.lastDeliveredAt} />],
                ["Paused", <Instant key="paused" at={endpoint.disabledAt} />],
                ["Created", <Instant key="made" at={endpoint.createdAt} />],
              ]}
            />
          </Section>
          <Section title="Deliveries">
            <LiveDeliveries endpointId={endpoint.id} />
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpointFieldsFragment }) {
  const [secret, setSecret] = useState<string>();
  const [update] = useGraphMutation(UpdateWebhookEndpointDocument);
  const [rotate] = useGraphMutation(RotateWebhookSecretDocument);
  const [remove] = useGraphMutation(DeleteWebhookEndpointDocument);
  const navigate = useSafeNavigate();
  const toggle = async () => {
    const { problem } = await update({ id: endpoint.id, input: { isActive: !endpoint.isActive } });
    if (problem) {
      showProblem(problem);
    } else {
      showSuccess(endpoint.isActive ? "Endpoint turned off." : "Endpoint turned on.");
    }
  };
  return (
    <>
      {endpoint.isActive && <SendTest endpoint={endpoint} />}
      <Edit endpoint={endpoint} />
      <Button variant="default" onClick={() => void toggle()}>
        {endpoint.isActive ? "Turn off" : "Turn on"}
      </Button>
      <ConfirmButton
        label="New secret"
        consequence="Deliveries are signed with the new secret and, for 24 hours, also with the old one."
        run={async () => {
          const { data, problem } = await rotate({ id: endpoint.id });
          if (problem) {
            showProblem(problem);
          }
          setSecret(data?.rotateWebhookSecret?.secret);
        }}
      />
      <ConfirmButton
        label="Delete endpoint"
        consequence="Deletes the endpoint and cancels its pending deliveries."
        danger
        run={async () => {
          const { problem } = await remove({ id: endpoint.id });
          if (problem) {
            showProblem(problem);
            return;
          }
          showSuccess("Endpoint deleted.");
          await navigate({ to: "/settings/webhooks" });
        }}
      />
      <SecretDialog
        title="New signing secret"
        description="The old secret also works for 24 hours."
        secret={secret}
        close={() => setSecret(undefined)}
      />
    </>
  );
}

function Edit({ endpoint }: { endpoint: WebhookEndpointFieldsFragment }) {
  const [opened, dialog] = useDisclosure();
  const [update] = useGraphMutation(UpdateWebhookEndpointDocument);
  return (
    <>
      <Button onClick={dialog.open}>Edit</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="Edit endpoint"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <EndpointForm
          initial={endpoint}
          submitLabel="Save"
          cancel={dialog.close}
          save={async (input) => {
            const { problem } = await update({ id: endpoint.id, input });
            if (!problem) {
              showSuccess("Endpoint saved.");
              dialog.close();
            }
            return problem;
          }}
        />
      </Modal>
    </>
  );
}

/** Sends a test event, which is a delivery like any other. */
function SendTest({ endpoint }: { endpoint: WebhookEndpointFieldsFragment }) {
  const [opened, dialog] = useDisclosure();
  const [event, setEvent] = useState("webhook.test");
  const [send, busy] = useGraphMutation(TestWebhookEndpointDocument);
  const run = async () => {
    const { data, problem } = await send({ id: endpoint.id, event });
    if (problem) {
      showProblem(problem);
    } else {
      showSuccess(`Test sent as delivery ${data.testWebhookEndpoint?.id ?? ""}.`);
    }
    dialog.close();
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Send test
      </Button>
      <Modal opened={opened} onClose={dialog.close} title="Send test" closeButtonProps={{ "aria-label": "Close" }}>
        <Stack>
          <Select
            label="Event"
            data={eventKinds.map((k) => k.event)}
            value={event}
            onChange={(e) => setEvent(e ?? "webhook.test")}
            allowDeselect={false}
            description="Sends a signed example of the event"
          />
          <Button loading={busy} onClick={() => void run()}>
            Send
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
