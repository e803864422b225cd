import { Button, Modal, Stack, Tabs, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { DataTable } from "../../components/DataTable";
import { count } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { SecretDialog } from "../../components/SecretDialog";
import { StateBadge } from "../../components/StateBadge";
import { TabBar } from "../../components/TabBar";
import { type Column, chosen, useTableSearch } from "../../components/table";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import {
  CreateWebhookEndpointDocument,
  type WebhookEndpointFieldsFragment,
  type WebhookEndpointSortField,
  WebhookEndpointsDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { Deliveries } from "./Deliveries";
import { EndpointForm } from "./EndpointForm";
import { EventCatalog } from "./EventCatalog";

const tabs = [
  { value: "endpoints", label: "Endpoints" },
  { value: "deliveries", label: "Deliveries" },
  { value: "catalogue", label: "Event catalog" },
] as const;

/** The state of an endpoint for its badge. */
export function stateOf(endpoint: WebhookEndpointFieldsFragment) {
  if (endpoint.isActive) {
    return <StateBadge state="ACTIVE" />;
  }
  return endpoint.disabledAt ? <StateBadge state="PAUSED" /> : <StateBadge state="OFF" label="Turned off" />;
}

const columns: Column<WebhookEndpointFieldsFragment, WebhookEndpointSortField>[] = [
  { title: "URL", cell: (r) => r.url, csv: (r) => r.url },
  { title: "Status", cell: stateOf, csv: (r) => (r.isActive ? "ACTIVE" : r.disabledAt ? "PAUSED" : "OFF") },
  {
    title: "Events",
    cell: (r) => (r.events.includes("*") ? "All events" : r.events.join(", ")),
    csv: (r) => r.events.join(" "),
  },
  { title: "Consecutive failures", right: true, cell: (r) => count(r.failureStreak), csv: (r) => r.failureStreak },
  { title: "Last delivery", cell: (r) => <Instant at={r.lastDeliveredAt} relative />, csv: (r) => r.lastDeliveredAt },
  { title: "Created", sort: "CREATED_AT", cell: (r) => <Instant at={r.createdAt} relative />, csv: (r) => r.createdAt },
];

export function Webhooks() {
  const { value, set } = useTableSearch();
  const can = useCan();
  const tab =
    chosen(
      value("tab"),
      tabs.map((t) => t.value),
    ) ?? "endpoints";
  return (
    <Stack>
      <PageHeader
        title="Webhooks"
        actions={can("webhooks:write") && can("edit-company-settings") && <NewEndpointButton />}
      />
      <Tabs value={tab} onChange={(next) => set({ tab: next ?? undefined })} keepMounted={false}>
        <TabBar tabs={tabs} active={tab} />
        <Tabs.Panel value="endpoints" pt="md">
          <DataTable
            name="endpoints"
            document={WebhookEndpointsDocument}
            connection={(data) => data.webhookEndpoints}
            variables={() => ({})}
            columns={columns}
            defaultSort="CREATED_AT"
            rowKey={(r) => r.id}
            to={(r) => `/settings/webhooks/${r.id}`}
            empty="No endpoints yet. Create one to receive events as they happen."
          />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries" pt="md">
          <Deliveries />
        </Tabs.Panel>
        <Tabs.Panel value="catalogue" pt="md">
          <EventCatalog />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function NewEndpointButton() {
  const [opened, dialog] = useDisclosure();
  const [created, setCreated] = useState<{ id: string; secret: string }>();
  const [create] = useGraphMutation(CreateWebhookEndpointDocument);
  const navigate = useSafeNavigate();
  return (
    <>
      <Button onClick={dialog.open}>New endpoint</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New endpoint"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text size="sm">Deliveries are signed. The signing secret is shown once, after you create the endpoint.</Text>
          <EndpointForm
            submitLabel="Create endpoint"
            cancel={dialog.close}
            save={async (input) => {
              const { data, problem } = await create({ input });
              if (data?.createWebhookEndpoint) {
                setCreated({
                  id: data.createWebhookEndpoint.webhookEndpoint.id,
                  secret: data.createWebhookEndpoint.secret,
                });
                showSuccess("Endpoint created.");
                dialog.close();
              }
              return problem;
            }}
          />
        </Stack>
      </Modal>
      <SecretDialog
        title="Signing secret"
        description="Use it to verify deliveries to this endpoint."
        secret={created?.secret}
        close={() => {
          setCreated(undefined);
          void navigate({ to: `/settings/webhooks/${created?.id}` });
        }}
      />
    </>
  );
}
