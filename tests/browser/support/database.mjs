// Changes of the database of a running server, mostly of times: tests do not wait for days.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Runs SQL statements; waits for the server's own transactions. */
export const editDatabase = (server, sql) =>
  execFileSync("sqlite3", ["-cmd", ".timeout 10000", join(server.folder, "sprong.db"), sql]);
