// Address to which a user returns after signing up: pages of this site only.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";

const { nextUrl, previousUrl } = await import("../../static/lib/next-path.js");

const ORIGIN = "https://sprong.example";

test("a path of the site is returned with its query and fragment", () => {
  for (const path of ["/", "/k3f9Q2xZ", "/lobby?to=Ann", "/k3f9Q2xZ?seat=first#x", "/@/Ann"])
    assert.equal(nextUrl(path, ORIGIN), ORIGIN + path);
});

test("other sites and relative addresses are refused", () => {
  for (const text of [
    null,
    undefined,
    "",
    "k3f9Q2xZ",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "https://evil.example",
    "https:evil.example",
    "https:/evil.example",
    "data:text/html,x",
    " /k3f9Q2xZ",
    "//[",
  ])
    assert.equal(nextUrl(text, ORIGIN), null, JSON.stringify(text));
});

test("a path that begins with two slashes keeps the origin", () => {
  for (const text of ["/..//evil.example", "/.//evil.example", "/x/..//evil.example"])
    assert.equal(new URL(nextUrl(text, ORIGIN)).origin, ORIGIN, text);
});

test("no text leads to another site", () => {
  const parts = fc.constantFrom("/", "\\", ".", "..", ":", "@", "evil.example", "https", "\t", "?");
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string())), (list) => {
      const url = nextUrl(list.join(""), ORIGIN);
      assert.ok(url === null || url.startsWith(`${ORIGIN}/`), url);
      // Assigned as a location, it stays absolute.
      assert.ok(url === null || new URL(url, "https://evil.example").origin === ORIGIN, url);
    }),
  );
});

test("the pages that start a session are no place to return to", () => {
  for (const path of ["/login", "/login?next=%2Fk3f9Q2xZ", "/login#login", "/come"])
    assert.equal(nextUrl(path, ORIGIN), null, path);
});

test("the previous page counts only if it is one of this site", () => {
  assert.equal(previousUrl(`${ORIGIN}/k3f9Q2xZ`, ORIGIN), `${ORIGIN}/k3f9Q2xZ`);
  assert.equal(previousUrl(`${ORIGIN}/`, ORIGIN), `${ORIGIN}/`);
  for (const referrer of [
    "",
    "https://evil.example/k3f9Q2xZ",
    `${ORIGIN}.evil.example/`,
    `${ORIGIN}/login`,
  ])
    assert.equal(previousUrl(referrer, ORIGIN), null, referrer);
});
