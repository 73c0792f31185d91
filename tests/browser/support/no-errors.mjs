// Checks for unexpected errors of pages and the server.
import assert from "node:assert/strict";

/** Asserts that pages logged no errors other than the expected ones. */
export const pagesWereQuiet = (persons, expected) => {
  for (const { name, errors } of persons) {
    const wrong = errors.filter((error) => !expected?.test(error));
    assert.deepEqual(wrong, [], `${name ?? "somebody"}: ${wrong.join("; ")}`);
  }
};

/** Asserts that pages logged no unexpected errors and the server logged none. */
export const wasQuiet = (server, persons, expected) => {
  pagesWereQuiet(persons, expected);
  assert.equal(server.faults, "");
};
