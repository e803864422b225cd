// Writes src/gql/documents.ts: every operation of src/gql/screens, typed by the schema of ../graph. What is wrong with
// an operation ends it with a message that names the file. And src/gql/contract.ts: the scopes that the schema names, what
// answers can become, and the catalogue of events as the description of the REST API shows it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import { concatAST, parse, print, Source, stripIgnoredCharacters, visit } from "graphql";

const here = import.meta.dirname;

/** read parses all files of a folder that end so, in the order of their names. */
function read(folder, ending) {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.sort().map((name) => ({
    location: name,
    document: parse(new Source(readFileSync(join(folder, name), "utf8"), name)),
  }));
}

const schema = read(join(here, "../graph"), ".graphqls");
const documents = read(join(here, "src/gql/screens"), ".graphql");
const definitions = documents.flatMap((file) => file.document.definitions);
const fragments = new Map(definitions.filter((d) => d.kind === "FragmentDefinition").map((d) => [d.name.value, d]));

/** write leaves a file alone that says the same already, so that nothing is built anew for it. */
function write(name, text) {
  const path = join(here, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    writeFileSync(path, text);
  }
}

/** needed adds the fragments that a definition spreads, and those that they spread. */
function needed(definition, found = new Set()) {
  visit(definition, {
    FragmentSpread(spread) {
      const fragment = fragments.get(spread.name.value);
      if (fragment && !found.has(fragment)) {
        found.add(fragment);
        needed(fragment, found);
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
    const text = stripIgnoredCharacters([operation, ...needed(operation)].map(print).join("\n"));
    return `export const ${name}Document = typed<${name}${kind}, ${name}${kind}Variables>(\n  ${JSON.stringify(text)},\n);\n`;
  });

const head = `// Generated from src/gql/screens by codegen.mjs; \`make generate\` writes it anew.
import { typed } from "./typed";

`;
write("src/gql/documents.ts", `${head}${types}\n${constants.join("\n")}`);

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
  // Where a lead stands no applicant says.
  ...fieldsOf("NewLead")
    .filter((name) => name !== "status")
    .map((name) => `lead.${name}`),
  ...fieldsOf("NewMerchant").map((name) => `merchant.${name}`),
];
const [events] = description.components.schemas.WebhookEndpointPage.properties.events.examples;
write(
  "src/gql/contract.ts",
  `// Generated from the graph's schema and the description of the REST API by codegen.mjs; \`make generate\` writes it anew.

/** Every scope that a key can have, beside *:read, which is read on everything. */
export const scopes: readonly string[] = ${JSON.stringify([...scopes].sort(), null, 2)};

/** What the answers to an application form can become: fields of a lead and of a merchant. */
export const answerTargets: readonly string[] = ${JSON.stringify(targets, null, 2)};

/** The catalogue: every kind of event that there is, with an example of its payload. */
export const eventKinds: readonly { event: string; description: string; version: number; example: unknown }[] = ${JSON.stringify(events, null, 2)};
`,
);
