// Checks for unexpected errors of pages and the server.
import assert from "node:assert/strict";

/** Asserts that pages logged no errors other than the expected ones. */
export const assertNoPageErrors = (users, expected) => {
  for (const { name, errors } of users) {
    const unexpected = errors.filter((error) => !expected?.test(error));
    assert.deepEqual(unexpected, [], `${name ?? "somebody"}: ${unexpected.join("; ")}`);
  }
};

/** Asserts that pages logged no unexpected errors and the server logged none. */
export const assertNoErrors = (server, users, expected) => {
  assertNoPageErrors(users, expected);
  assert.equal(server.unexpectedLog, "");
};
