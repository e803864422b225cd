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
import { useGo } from "../../components/useGo";
import { complain, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import { eventKinds } from "../../gql/contract";
import {
  DeleteWebhookEndpointDocument,
  type EndpointFragment,
  RotateWebhookSecretDocument,
  TestWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
  WebhookEndpointDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { LiveDeliveries } from "./Deliveries";
import { EndpointForm } from "./EndpointForm";
import { stateOf } from "./Webhooks";

export function Endpoint() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(WebhookEndpointDocument, { id }));
  const can = useCan();
  return (
    <Loaded what="endpoint" record={result.data?.webhookEndpoint} error={result.error} retry={result.refetch}>
      {(endpoint) => (
        <Stack>
          <PageHeader
            title={endpoint.url}
            parent={{ to: "/settings/webhooks", title: "Webhooks" }}
            beside={stateOf(endpoint)}
            actions={can("webhooks:write") && can("edit-company-settings") && <Actions endpoint={endpoint} />}
          />
          <Section title="Details">
            {endpoint.disabledReason && <Text>Paused: {endpoint.disabledReason}</Text>}
            <Fields
              label="Details"
              of={[
                ["Hears of", endpoint.events.includes("*") ? "Everything" : endpoint.events.join(", ")],
                ["Failures in a row", count(endpoint.failureStreak)],
                ["Last delivery", <Instant key="last" at={endpoint.lastDeliveredAt} />],
                ["Paused", <Instant key="paused" at={endpoint.disabledAt} />],
                ["Made", <Instant key="made" at={endpoint.createdAt} />],
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

function Actions({ endpoint }: { endpoint: EndpointFragment }) {
  const [secret, setSecret] = useState<string>();
  const [update] = useAct(UpdateWebhookEndpointDocument);
  const [rotate] = useAct(RotateWebhookSecretDocument);
  const [remove] = useAct(DeleteWebhookEndpointDocument);
  const navigate = useGo();
  const toggle = async () => {
    const { problem } = await update({ id: endpoint.id, input: { isActive: !endpoint.isActive } });
    if (problem) {
      complain(problem);
    } else {
      tell(endpoint.isActive ? "The endpoint is turned off." : "The endpoint hears of events again.");
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
        consequence="Deliveries are signed with the new secret and, for 24 hours, with the old one as well."
        run={async () => {
          const { data, problem } = await rotate({ id: endpoint.id });
          if (problem) {
            complain(problem);
          }
          setSecret(data?.rotateWebhookSecret?.secret);
        }}
      />
      <ConfirmButton
        label="Delete endpoint"
        consequence="It hears of nothing any more, and what is still under way to it is given up."
        danger
        run={async () => {
          const { problem } = await remove({ id: endpoint.id });
          if (problem) {
            complain(problem);
            return;
          }
          tell("The endpoint is deleted.");
          await navigate({ to: "/settings/webhooks" });
        }}
      />
      <SecretDialog
        title="The new signing secret"
        what="For 24 hours the old one signs as well."
        secret={secret}
        close={() => setSecret(undefined)}
      />
    </>
  );
}

function Edit({ endpoint }: { endpoint: EndpointFragment }) {
  const [opened, dialog] = useDisclosure();
  const [update] = useAct(UpdateWebhookEndpointDocument);
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
              tell("The endpoint is saved.");
              dialog.close();
            }
            return problem;
          }}
        />
      </Modal>
    </>
  );
}

/** SendTest sends an example of a kind of event, which is a delivery like any other. */
function SendTest({ endpoint }: { endpoint: EndpointFragment }) {
  const [opened, dialog] = useDisclosure();
  const [event, setEvent] = useState("webhook.test");
  const [send, busy] = useAct(TestWebhookEndpointDocument);
  const run = async () => {
    const { data, problem } = await send({ id: endpoint.id, event });
    if (problem) {
      complain(problem);
    } else {
      tell(`It is on its way, as delivery ${data.testWebhookEndpoint?.id ?? ""}.`);
    }
    dialog.close();
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Send a test
      </Button>
      <Modal opened={opened} onClose={dialog.close} title="Send a test" closeButtonProps={{ "aria-label": "Close" }}>
        <Stack>
          <Select
            label="Event"
            data={eventKinds.map((k) => k.event)}
            value={event}
            onChange={(e) => setEvent(e ?? "webhook.test")}
            allowDeselect={false}
            description="Its example is sent, signed like everything else"
          />
          <Button loading={busy} onClick={() => void run()}>
            Send
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
