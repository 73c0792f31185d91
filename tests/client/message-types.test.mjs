// Types of the API and the WebSockets for the type check of the client: `tests/types/messages.d.ts`
// follows from `docs/openapi.json` and `docs/asyncapi.json`. `SPRONG_REWRITE=1` writes it anew.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compile } from "json-schema-to-typescript";

const ROOT = join(import.meta.dirname, "../..");
const FILE = join(ROOT, "tests/types/messages.d.ts");

const OPTIONS = {
  additionalProperties: false,
  bannerComment: "",
  declareExternallyReferenced: true,
  format: true,
  style: { printWidth: 100 },
  unreachableDefinitions: true,
};

/**
 * Adapts a schema to the compiler. It removes descriptions beside references, as each would make a
 * type of its own, and writes tuples as in older drafts, as the compiler ignores `prefixItems`.
 */
const adapt = (schema) => {
  if (Array.isArray(schema)) return schema.map(adapt);
  if (schema === null || typeof schema !== "object") return schema;
  if (schema.$ref) return { $ref: schema.$ref.replace("#/components/schemas/", "#/definitions/") };
  const { prefixItems, ...others } = schema;
  const parts = prefixItems ? { ...others, items: prefixItems } : others;
  return Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, adapt(value)]));
};

/** Returns the schema of an object with the given members; those without a schema are left out. */
const objectOf = (members) => {
  const properties = Object.fromEntries(members.filter(([, schema]) => schema));
  return { type: "object", properties, required: Object.keys(properties) };
};

/** Returns the schema of a part of each operation of the API, by method and path. */
const operationsOf = (paths, partOf) =>
  objectOf(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        partOf(operation)?.content?.["application/json"]?.schema,
      ]),
    ),
  );

/** Returns the response to a successful request. */
const successOf = ({ responses }) =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];

/** Returns the schema of the messages of the server, by the address of the socket. */
const socketMessagesOf = (channels) =>
  objectOf(
    Object.values(channels).map(({ address, messages }) => [address, messages.server.payload]),
  );

test("message types of the client are current", async () => {
  const [openapi, asyncapi] = ["openapi.json", "asyncapi.json"].map((file) =>
    JSON.parse(readFileSync(join(ROOT, "docs", file), "utf8")),
  );
  const [api, sockets] = [openapi.components.schemas, asyncapi.components.schemas];
  for (const name of Object.keys(api).filter((key) => key in sockets))
    assert.deepEqual(api[name], sockets[name], name);
  const schemas = {
    ...api,
    ...sockets,
    ApiRequests: operationsOf(openapi.paths, ({ requestBody }) => requestBody),
    ApiResponses: operationsOf(openapi.paths, successOf),
    SocketMessages: socketMessagesOf(asyncapi.channels),
  };
  const sortedSchemas = Object.fromEntries(Object.entries(schemas).sort());
  const root = {
    title: "Messages",
    type: "object",
    definitions: adapt(sortedSchemas),
  };
  const code = (await compile(root, "Messages", OPTIONS))
    .replace(/export interface Messages \{\}\n/, "")
    .replace(
      / \*\n \* This interface was referenced by `Messages`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      "",
    )
    .replace(
      /\/\*\*\n \* This interface was referenced by `Messages`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g,
      "",
    );
  const text = `// Types of the API and the WebSockets, written by message-types.test.mjs.\n\n${code}`;
  if (process.env.SPRONG_REWRITE) writeFileSync(FILE, text);
  assert.equal(readFileSync(FILE, "utf8"), text, "SPRONG_REWRITE=1 writes the types anew");
});

/** Returns the files of a copy of the client in which the type check finds errors. */
const filesWithErrors = (context, changeTypes) => {
  const folder = mkdtempSync(join(tmpdir(), "sprong-types-"));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["static", "tests/types", "jsconfig.json"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const types = join(folder, "tests/types/messages.d.ts");
  writeFileSync(types, changeTypes(readFileSync(types, "utf8")));
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, ["-p", "jsconfig.json"], { cwd: folder, encoding: "utf8" });
  return [...new Set(stdout.match(/^[\w/.-]+(?=\(\d)/gm))].sort();
};

test("a new message type is an error of each page that gets it", (context) => {
  const pages = ["challenge", "find", "game", "lobby", "watch"].map(
    (page) => `static/${page}/state.js`,
  );
  const addType = (text) =>
    text.replace(/export type ReplyMessage =/, '$& | { d: {}; t: "newType" }');
  assert.deepEqual(filesWithErrors(context, addType), pages);
});

test("a renamed field is an error of the request that has it", (context) => {
  const rename = (text) => text.replace(/(?<=interface PasswordForm \{[^}]*?)\bold\?:/, "former?:");
  assert.deepEqual(filesWithErrors(context, rename), ["static/account/account.js"]);
});
