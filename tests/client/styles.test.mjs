// Style sheets: the boundary of a control needs a contrast of 3:1 (WCAG 1.4.11), which the color of
// dividers does not have.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { listFiles } from "./support/sources.mjs";

const RULE = /([^{}]+)\{([^{}]*)\}/g;
const CONTROL = /\b(?:button|input|select|textarea)\b|\.btn\b|\.option-list-item$/;

test("controls do not have the boundary of dividers", () => {
  let controls = 0;
  const faults = [];
  for (const file of listFiles("static/css", ".css"))
    for (const [, selectors, body] of readFileSync(file, "utf8").matchAll(RULE))
      for (const selector of selectors.split(",").map((text) => text.trim().split(" ").at(-1))) {
        if (!CONTROL.test(selector) || selector.includes("aria-disabled")) continue;
        controls += 1;
        if (/border(?:-color)?: [^;]*var\(--line\)/.test(body))
          faults.push(`${basename(file)}: ${selector}`);
      }
  assert.ok(controls > 100, `only ${controls} rules of controls found`);
  assert.deepEqual(faults, []);
});
