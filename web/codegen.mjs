// Generates src/gql/documents.ts: every operation of src/gql/screens, typed by the schema in ../graph. An invalid
// operation fails with the name of its file. Also generates src/gql/contract.ts: the scopes of the schema, the mapping
// targets of form answers, and the event catalog of the REST API.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import { concatAST, parse, print, Source, stripIgnoredCharacters, visit } from "graphql";

const here = import.meta.dirname;

/** Parses all files of a folder with this ending, sorted by name. */
function parseFolder(folder, suffix) {
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix));
  return names.sort().map((name) => ({
    location: name,
    document: parse(new Source(readFileSync(join(folder, name), "utf8"), name)),
  }));
}

const schema = parseFolder(join(here, "../graph"), ".graphqls");
const documents = parseFolder(join(here, "src/gql/screens"), ".graphql");
const definitions = documents.flatMap((file) => file.document.definitions);
const fragments = new Map(definitions.filter((d) => d.kind === "FragmentDefinition").map((d) => [d.name.value, d]));

/** Leaves an unchanged file alone, so that it does not trigger a rebuild. */
function writeIfChanged(name, text) {
  const path = join(here, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    writeFileSync(path, text);
  }
}

/** Adds the fragments that a definition uses, directly or through other fragments. */
function collectFragments(definition, found = new Set()) {
  visit(definition, {
    FragmentSpread(spread) {
      const fragment = fragments.get(spread.name.value);
      if (fragment && !found.has(fragment)) {
        found.add(fragment);
        collectFragments(fragment, found);
      }
    },
  });
  return found;
}

const types = await codegen({
  filename: "documents.ts",
  schema: concatAST(schema.map((file) => file.document)),
  documents,
  config: {
    avoidOptionals: { field: true, object: false, inputValue: false },
    enumsAsTypes: true,
    enumType: "string-literal",
    scalars: {
      ID: "string",
      Money: "string",
      Rate: "string",
      Date: "string",
      DateTime: "string",
      JSON: "unknown",
    },
    skipTypename: true,
    useTypeImports: true,
  },
  plugins: [{ operations: {} }],
  pluginMap: { operations },
});

const constants = definitions
  .filter((d) => d.kind === "OperationDefinition")
  .map((operation) => {
    const name = operation.name.value;
    const kind = operation.operation.replace(/^./, (letter) => letter.toUpperCase());
    const text = stripIgnoredCharacters([operation, ...collectFragments(operation)].map(print).join("\n"));
    return `export const ${name}Document = typed<${name}${kind}, ${name}${kind}Variables>(\n  ${JSON.stringify(text)},\n);\n`;
  });

const header = `// Generated from src/gql/screens by codegen.mjs (run \`make generate\`). Do not edit.
import { typed } from "./typed";

`;
writeIfChanged("src/gql/documents.ts", `${header}${types}\n${constants.join("\n")}`);

const scopes = new Set();
visit(concatAST(schema.map((file) => file.document)), {
  Directive(directive) {
    if (directive.name.value === "scope") {
      scopes.add(directive.arguments[0].value.value);
    }
  },
});
const description = JSON.parse(readFileSync(join(here, "../rest/description/openapi.json"), "utf8"));
const fieldsOf = (schema) => Object.keys(description.components.schemas[schema].properties);
const targets = [
  // Applicants do not set the status of a lead.
  ...fieldsOf("NewLead")
    .filter((name) => name !== "status")
    .map((name) => `lead.${name}`),
  ...fieldsOf("NewMerchant").map((name) => `merchant.${name}`),
];
const [events] = description.components.schemas.WebhookEndpointPage.properties.events.examples;
writeIfChanged(
  "src/gql/contract.ts",
  `// Generated from the graph's schema and the description of the REST API by codegen.mjs (run \`make generate\`). Do not edit.

/** Every scope of API keys, besides *:read, which reads everything. */
export const scopes: readonly string[] = ${JSON.stringify([...scopes].sort(), null, 2)};

/** Fields of a lead or a merchant that form answers can map to. */
export const answerTargets: readonly string[] = ${JSON.stringify(targets, null, 2)};

/** The event catalog: every kind of event, with an example payload. */
export const eventKinds: readonly { event: string; description: string; version: number; example: unknown }[] = ${JSON.stringify(events, null, 2)};
`,
);
