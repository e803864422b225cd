// Holds a running server to the audits of GraphQL over HTTP: node graphqlhttp.mjs ADDRESS HOST TOKEN. It prints each audit
// that is not passed, and fails where one of those is a MUST.
import http from "node:http";
import { auditServer } from "graphql-http";

const [address, host, token] = process.argv.slice(2);

// request is fetch for the audits, which know neither of hosts nor of keys.
function request(url, init = {}) {
  return new Promise((resolve, reject) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host, authorization: `Bearer ${token}` };
    const sent = http.request(new URL(url), { method: init.method ?? "GET", headers }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve(new Response(Buffer.concat(parts), { status: answer.statusCode, headers: answer.headers })));
    });
    sent.on("error", reject);
    sent.end(init.body);
  });
}

const results = await auditServer({ url: `${address}/graphql`, fetchFn: request });
const passed = results.filter((r) => r.status === "ok").length;
for (const r of results.filter((r) => r.status !== "ok")) {
  console.log(`${r.id} ${r.name}: ${r.status}: ${r.reason}`);
}
console.log(`${passed} of ${results.length} audits passed`);
process.exitCode = passed === 0 || results.some((r) => r.status !== "ok" && r.name.startsWith("MUST")) ? 1 : 0;
