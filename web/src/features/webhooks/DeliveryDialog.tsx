import { Button, Group, Modal, Stack, Table, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fields } from "../../components/Fields";
import { count, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { RawJson } from "../../components/JsonView";
import { Loaded } from "../../components/Loaded";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import { RedeliverWebhookDocument, WebhookDeliveryDocument, type WebhookDeliveryQuery } from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";

type Delivery = NonNullable<WebhookDeliveryQuery["webhookDelivery"]>;

type Props = { id: string | undefined; close: () => void; show: (id: string) => void };

/** Shows the payload and the attempts of a delivery. */
export function DeliveryDialog({ id, close, show }: Props) {
  const result = useQuery({ ...graphQuery(WebhookDeliveryDocument, { id: id ?? "" }), enabled: id !== undefined });
  const delivery = result.data?.webhookDelivery;
  return (
    <Modal
      opened={id !== undefined}
      onClose={close}
      title={`Delivery ${id ?? ""}`}
      size="xl"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Loaded
        noun="delivery"
        record={delivery?.id === id ? delivery : undefined}
        error={result.error}
        retry={result.refetch}
      >
        {(delivery) => <DeliveryDetails delivery={delivery} show={show} refresh={() => void result.refetch()} />}
      </Loaded>
    </Modal>
  );
}

function DeliveryDetails({
  delivery,
  show,
  refresh,
}: {
  delivery: Delivery;
  show: (id: string) => void;
  refresh: () => void;
}) {
  const can = useCan();
  const [redeliver, busy] = useGraphMutation(RedeliverWebhookDocument);
  const resend = async () => {
    const { data, problem } = await redeliver({ id: delivery.id });
    if (problem) {
      showProblem(problem);
    } else if (data.redeliverWebhook) {
      showSuccess(`Resent as delivery ${data.redeliverWebhook.id}.`);
      show(data.redeliverWebhook.id);
    }
  };
  return (
    <Stack>
      <Fields
        label="Delivery"
        items={[
          ["Event", delivery.event],
          ["Status", <StateBadge key="status" state={delivery.status} />],
          ["Endpoint", delivery.endpoint?.url],
          ["Created", <Instant key="created" at={delivery.createdAt} />],
          ["Delivered", <Instant key="delivered" at={delivery.deliveredAt} />],
        ]}
      />
      <Group>
        <Button variant="default" onClick={refresh}>
          Refresh
        </Button>
        {can("webhooks:write") && (
          <Button onClick={() => void resend()} loading={busy} disabled={delivery.status === "PENDING"}>
            Resend
          </Button>
        )}
      </Group>
      <Title order={3}>Attempts</Title>
      <Attempts attempts={delivery.tries ?? []} />
      <Title order={3}>Payload</Title>
      <RawJson value={delivery.payload} label="Payload" />
    </Stack>
  );
}

function Attempts({ attempts }: { attempts: NonNullable<Delivery["tries"]> }) {
  return (
    <SmallTable
      label="Attempts"
      region="Attempts"
      minWidth={480}
      head={
        <>
          <Table.Th>Attempt</Table.Th>
          <Table.Th>Time</Table.Th>
          <Table.Th>Response</Table.Th>
          <Table.Th>Duration</Table.Th>
          <Table.Th>Response body or error</Table.Th>
        </>
      }
    >
      {attempts.map((t) => (
        <Table.Tr key={t.id}>
          <Table.Td>{t.number}</Table.Td>
          <Table.Td>
            <Instant at={t.createdAt} />
          </Table.Td>
          <Table.Td>{t.responseStatus ?? none}</Table.Td>
          <Table.Td>{count(t.durationMs)} ms</Table.Td>
          <Table.Td style={{ overflowWrap: "anywhere" }}>
            {[t.error, t.responseSnippet].filter(Boolean).join(" ") || none}
          </Table.Td>
        </Table.Tr>
      ))}
      {attempts.length === 0 && (
        <Table.Tr>
          <Table.Td colSpan={5}>None yet. The delivery is pending.</Table.Td>
        </Table.Tr>
      )}
    </SmallTable>
  );
}
