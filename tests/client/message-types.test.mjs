// Types of the WebSocket messages for the type check of the client: `tests/types/messages.d.ts`
// follows from `docs/asyncapi.json`. `SPRONG_REWRITE=1` writes it anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
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

/** Removes descriptions beside references: each would make a type of its own. */
const withoutSiblings = (schema) => {
  if (Array.isArray(schema)) return schema.map(withoutSiblings);
  if (schema === null || typeof schema !== "object") return schema;
  if (schema.$ref) return { $ref: schema.$ref.replace("#/components/schemas/", "#/definitions/") };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutSiblings(value)]),
  );
};

test("message types of the client are current", async () => {
  const { components } = JSON.parse(readFileSync(join(ROOT, "docs/asyncapi.json"), "utf8"));
  const root = {
    title: "Messages",
    type: "object",
    definitions: withoutSiblings(components.schemas),
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
  const text = `// Types of the WebSocket messages, written by message-types.test.mjs.\n\n${code}`;
  if (process.env.SPRONG_REWRITE) writeFileSync(FILE, text);
  assert.equal(readFileSync(FILE, "utf8"), text, "SPRONG_REWRITE=1 writes the types anew");
});
