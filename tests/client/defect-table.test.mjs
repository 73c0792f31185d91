// The table of defects in docs/testing.md names a test for each defect, and these tests exist.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../..");
const DEFECTS = 42;

test("every defect of the table has a test that exists", () => {
  const [, section] = readFileSync(join(ROOT, "docs/testing.md"), "utf8").split(
    "## Defects of usability",
  );
  // A row without a number has another test of the defect above it.
  let last = 0;
  const rows = [...section.matchAll(/^\| (\d*) +\| .*?\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map(
    ([, number, file, name]) => {
      last = number ? Number(number) : last;
      return { number: last, file, name };
    },
  );
  assert.deepEqual(
    [...new Set(rows.map(({ number }) => number).filter(Boolean))],
    Array.from({ length: DEFECTS }, (_, at) => at + 1),
  );
  const missing = rows.filter(({ file, name }) => {
    const source = readFileSync(join(ROOT, "tests", file.replaceAll("`", "")), "utf8");
    const title = name.replaceAll("`", "");
    // Tests of Rust are functions, others have a title.
    return !(file.includes(".rs") ? source.includes(`fn ${title}(`) : source.includes(title));
  });
  assert.deepEqual(missing, []);
});
