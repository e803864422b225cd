// A receiver of paydown's webhooks, for Node 20 and later, without packages. Copy it, and add your own code to handle.
//
//   WEBHOOK_SECRETS=whsec_... node receiver.mjs serve [HOST:PORT]
//   node receiver.mjs vectors FILE
//
// WEBHOOK_SECRETS is the endpoint's signing secret and, during a rotation, the previous one, separated by a comma.

import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const FRESHNESS = 300; // maximum difference of a timestamp from the clock, in seconds
const MAX_BODY = 1 << 20; // bytes; deliveries are far smaller
const MAX_WAITING = 1000; // deliveries waiting to be handled
const REMEMBERED = 100_000; // ids of deliveries

// verify checks a delivery by X-Timestamp and X-Signature. body is a Buffer of the exact bytes received, header names
// are in lower case, now is in seconds. During a rotation a delivery also has X-Signature-Previous; either may match
// any known secret. It returns "valid", or the problem: "missing", "timestamp", "stale" or "signature".
function verify(secrets, headers, body, now) {
  const timestamp = headers["x-timestamp"];
  const signature = headers["x-signature"];
  if (!timestamp || !signature) return "missing";
  const given = [signature, headers["x-signature-previous"] ?? ""].map((hex) => hex.toLowerCase());
  const wanted = secrets.map((secret) => mac(secret, timestamp, body).toString("hex"));
  return judge(timestamp, given, wanted, now);
}

// verifyStandard checks a delivery by the headers of Standard Webhooks instead, like the libraries of that scheme.
function verifyStandard(secrets, headers, body, now) {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => headers["webhook-" + name]);
  if (!id || !timestamp || !signatures) return "missing";
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
  const wanted = keys.map((key) => "v1," + mac(key, `${id}.${timestamp}`, body).toString("base64"));
  return judge(timestamp, signatures.split(" "), wanted, now);
}

function mac(key, start, body) {
  return createHmac("sha256", key).update(start).update(".").update(body).digest();
}

function judge(timestamp, given, wanted, now) {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(timestamp)) return "timestamp";
  if (!given.some((g) => wanted.some((w) => same(g, w)))) return "signature";
  return Math.abs(Math.floor(now) - Number(timestamp)) <= FRESHNESS ? "valid" : "stale";
}

// same compares in constant time, so that nobody can guess a signature bit by bit.
function same(a, b) {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

// The inbox detects repeats and holds the deliveries to handle. This one is in memory, and so forgets both when the
// process ends. If that matters, use a table, and let add return only after the delivery is stored:
//
//   CREATE TABLE inbox (
//     id text PRIMARY KEY, body bytea NOT NULL, received_at timestamptz NOT NULL, handled_at timestamptz);
//   INSERT INTO inbox VALUES ($1, $2, now(), NULL) ON CONFLICT (id) DO NOTHING;
//
// The primary key accepts each id once, however many processes receive deliveries, and rows without handled_at are
// handled after a restart. The Python sample does that with SQLite.
class Inbox {
  #seen = new Set();
  #waiting = [];
  #working = false;

  // add returns whether the delivery was accepted: it is not if too many are waiting.
  add(envelope) {
    if (this.#seen.has(envelope.id)) return true;
    if (this.#waiting.length >= MAX_WAITING) return false;
    this.#seen.add(envelope.id);
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.values().next().value); // the oldest
    this.#waiting.push(envelope);
    if (!this.#working) this.#work();
    return true;
  }

  async #work() {
    this.#working = true;
    await new Promise(setImmediate); // send the response first
    while (this.#waiting.length > 0) {
      const envelope = this.#waiting.shift();
      try {
        await handle(envelope);
      } catch (failure) {
        console.error(`${envelope.id} failed:`, failure);
      }
    }
    this.#working = false;
  }
}

// handle is for your code. It runs after the delivery was acknowledged. Deliveries may arrive out of order: occurredAt
// is when the event happened.
async function handle(envelope) {
  console.log(`handled ${envelope.id} ${envelope.event}`);
}

async function receive(request, response, secrets, inbox) {
  const answer = (status) => response.writeHead(status).end();
  if (request.method !== "POST") return answer(405);
  const pieces = [];
  let size = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    size += piece.length;
    if (size > MAX_BODY) return response.writeHead(413, { Connection: "close" }).end();
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  const verdict = verify(secrets, request.headers, body, Date.now() / 1000);
  if (verdict !== "valid") {
    console.error(`refused: ${verdict}`);
    return answer(401);
  }
  let envelope;
  try {
    envelope = JSON.parse(body);
  } catch {
    return answer(400);
  }
  if (typeof envelope?.id !== "string") return answer(400); // X-Webhook-Id is not signed; the body is
  return answer(inbox.add(envelope) ? 204 : 503); // an unacknowledged delivery is sent again
}

function serve(address) {
  const secrets = (process.env.WEBHOOK_SECRETS ?? "").split(",").filter(Boolean);
  if (secrets.length === 0) throw new Error("set WEBHOOK_SECRETS");
  const inbox = new Inbox();
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    receive(request, response, secrets, inbox).catch((failure) => {
      console.error(failure.message); // usually the sender is gone
      response.destroy();
    });
  });
  const colon = address.lastIndexOf(":");
  server.listen(Number(address.slice(colon + 1)), address.slice(0, colon), () => {
    console.log(`listening on ${address.slice(0, colon)}:${server.address().port}`);
  });
}

// vectors compares the results of this program with those of the test vectors file.
function vectors(path) {
  const cases = JSON.parse(readFileSync(path, "utf8")).vectors;
  let wrong = 0;
  for (const { name, scheme, secrets, headers, body, bodyBase64, now, verdict } of cases) {
    const bytes = body === undefined ? Buffer.from(bodyBase64, "base64") : Buffer.from(body);
    const lower = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
    const judgedBy = { "x-signature": verify, "standard-webhooks": verifyStandard }[scheme];
    const got = judgedBy(secrets, lower, bytes, now);
    if (got !== verdict) {
      wrong++;
      console.log(`${name}: ${got}, want ${verdict}`);
    }
  }
  console.log(`${cases.length} vectors, ${wrong} wrong`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

const [command, argument] = process.argv.slice(2);
if (command === "serve") serve(argument ?? "127.0.0.1:8765");
else if (command === "vectors" && argument) vectors(argument);
else {
  console.error("node receiver.mjs serve [HOST:PORT] | vectors FILE");
  process.exitCode = 2;
}
