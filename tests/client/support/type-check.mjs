// Type check of a changed copy of the client, by which tests show that a change would be an error.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

/**
 * Returns the errors of the type check after `change(folder)` has changed the copy: file in the
 * folder, line and column from 1, code, and message.
 */
export const typeErrorsAfter = (context, change) => {
  const folder = mkdtempSync(join(tmpdir(), "sprong-types-"));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["static", "tests/types", "jsconfig.json"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  change(folder);
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, ["-p", "jsconfig.json"], { cwd: folder, encoding: "utf8" });
  const errors = stdout.matchAll(/^([\w/.-]+)\((\d+),(\d+)\): error (\w+): (.*(?:\n .*)*)/gm);
  return [...errors].map(([, file, line, column, code, message]) => ({
    file,
    line: Number(line),
    column: Number(column),
    code,
    message,
  }));
};
