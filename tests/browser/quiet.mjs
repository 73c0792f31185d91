// Nothing went wrong.
import assert from "node:assert/strict";

/** Nothing went wrong in those pages but what is expected. */
export const pagesWereQuiet = (persons, expected) => {
  for (const { name, errors } of persons) {
    const wrong = errors.filter((error) => !expected?.test(error));
    assert.deepEqual(wrong, [], `${name ?? "somebody"}: ${wrong.join("; ")}`);
  }
};

/** Nothing went wrong in those pages but what is expected, nor in the server's log. */
export const wasQuiet = (server, persons, expected) => {
  pagesWereQuiet(persons, expected);
  assert.equal(server.faults, "");
};
