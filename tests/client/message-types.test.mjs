// Types of the API and the WebSockets for the type check of the client: `tests/types/messages.d.ts`
// follows from `docs/openapi.json` and `docs/asyncapi.json`. `SPRONG_REWRITE=1` writes it anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compile } from "json-schema-to-typescript";
import { typeErrorsAfter } from "./support/type-check.mjs";

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

/** Returns the files in which the type check finds errors after a change of one file. */
const filesWithErrors = (context, change, file = "tests/types/messages.d.ts") => {
  const errors = typeErrorsAfter(context, (folder) => {
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  });
  return [...new Set(errors.map((error) => error.file))].sort();
};

/** Modules that handle the messages of accounts. */
const ACCOUNT_LISTENERS = [
  "static/challenge/state.js",
  "static/common/notifications.js",
  "static/common/search-strip.js",
  "static/find/state.js",
  "static/game/state.js",
  "static/lobby/state.js",
];

test("a new message type is an error of each module that gets it", (context) => {
  const addTo = (union) => (text) =>
    text.replace(`export type ${union} =`, '$& | { d: {}; t: "newType" }');
  for (const [union, files] of [
    ["ReplyMessage", [...ACCOUNT_LISTENERS, "static/watch/state.js"]],
    ["FollowedMessage", ["static/lobby/state.js", "static/watch/state.js"]],
  ])
    assert.deepEqual(filesWithErrors(context, addTo(union)), files, union);
});

test("a renamed message type is an error of each such module", (context) => {
  const rename = (text) => text.replace('t: "seatLost"', 't: "seatTaken"');
  assert.deepEqual(filesWithErrors(context, rename), ACCOUNT_LISTENERS);
});

test("a renamed field is an error of each listener that has it", (context) => {
  const renameRings = (text) => text.replace("rings: ReadyCheckOut[]", "checks: ReadyCheckOut[]");
  assert.deepEqual(filesWithErrors(context, renameRings), [
    "static/common/inbox.js",
    "static/common/notifications.js",
    "static/common/search-strip.js",
    "static/find/state.js",
  ]);
});

test("a socket whose listener takes other messages is an error", (context) => {
  const file = "static/watch/watch.js";
  const changePath = (text) => text.replace('Socket("/ws/live"', 'Socket("/ws/lobby"');
  assert.deepEqual(filesWithErrors(context, changePath, file), [file]);
});

test("a renamed field is an error of the request that has it", (context) => {
  const rename = (text) => text.replace(/(?<=interface PasswordForm \{[^}]*?)\bold\?:/, "former?:");
  assert.deepEqual(filesWithErrors(context, rename), ["static/account/account.js"]);
});
