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

/**
 * Returns the errors of the type check after changes of texts, without those that follow from
 * others: parameters whose type is unknown.
 */
const errorsAfter = (context, changes) =>
  typeErrorsAfter(context, (folder) => {
    for (const [file, change] of changes) {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      assert.notEqual(change(text), text, file);
      writeFileSync(path, change(text));
    }
  }).filter(({ message }) => !message.includes("implicitly has an 'any' type"));

/** Returns the files with errors whose message contains `text`. */
const filesWith = (errors, text) => [
  ...new Set(errors.filter(({ message }) => message.includes(text)).map(({ file }) => file)),
];

const TYPES = "tests/types/messages.d.ts";

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
  const addTo = (union, type) => [
    TYPES,
    (text) => text.replace(`export type ${union} =`, `$& | { d: {}; t: "${type}" }`),
  ];
  const errors = errorsAfter(context, [
    addTo("ReplyMessage", "newReply"),
    addTo("FollowedMessage", "newFollowed"),
  ]);
  assert.deepEqual(filesWith(errors, "newReply"), [...ACCOUNT_LISTENERS, "static/watch/state.js"]);
  assert.deepEqual(filesWith(errors, "newFollowed"), [
    "static/lobby/state.js",
    "static/watch/state.js",
  ]);
});

test("a renamed type, field or socket, or a new field, is an error", (context) => {
  const page = "static/watch/watch.js";
  const errors = errorsAfter(context, [
    [TYPES, (text) => text.replace('t: "seatLost"', 't: "seatTaken"')],
    [TYPES, (text) => text.replace("rings: ReadyCheckOut[]", "checks: ReadyCheckOut[]")],
    [TYPES, (text) => text.replace(/(?<=interface PasswordForm \{[^}]*?)\bold\?:/, "former?:")],
    [TYPES, (text) => text.replace(/player has seen\.\s+\*\/\s+ply: number;/, "$&\npace: number;")],
    [page, (text) => text.replace('Socket("/ws/live"', 'Socket("/ws/lobby"')],
  ]);
  assert.deepEqual(filesWith(errors, "seatLost"), ACCOUNT_LISTENERS);
  assert.deepEqual(filesWith(errors, "rings"), [
    "static/common/inbox.js",
    "static/common/notifications.js",
    "static/common/search-strip.js",
    "static/find/state.js",
  ]);
  assert.deepEqual(filesWith(errors, "'pace'"), ["static/game/move-input.js"]);
  const others = errors.filter(({ message }) => !/seatLost|rings|'pace'/.test(message));
  assert.deepEqual(filesWith(others, ""), ["static/account/account.js", page]);
});
