// What a portal does with the admin services, compiled against the client that is generated from their description.
import { createClient, type Transport } from "@connectrpc/connect";
import { KeyService } from "./admin/paydown/admin/v1/key_pb";
import { WebhookService } from "./admin/paydown/admin/v1/webhook_pb";

export async function rotateAll(transport: Transport, tenant: string): Promise<string[]> {
  const client = createClient(KeyService, transport);
  const { keys } = await client.listKeys({ tenant });
  const tokens: string[] = [];
  for (const key of keys) {
    const id: number = key.id;
    const { token } = await client.rotateKey({ tenant, id });
    tokens.push(token);
  }
  return tokens;
}

export async function recover(transport: Transport, tell: (done: number, of: number) => void): Promise<void> {
  for await (const { recovery } of createClient(WebhookService, transport).recoverFailed({ endpointId: 7 })) {
    tell((recovery?.redelivered ?? 0) + (recovery?.skipped ?? 0), recovery?.matched ?? 0);
  }
}
