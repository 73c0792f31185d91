// Mail server of Debian's package `python3-aiosmtpd`, which stores what it receives as files.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { after } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, waitUntil } from "./server.mjs";

/** Returns arguments of a server that sends e-mail, as a function of its URL. */
export const mailArguments = (smtp) => (url) => [
  "--smtp",
  smtp,
  "--mail-from",
  "Sprong <no-reply@sprong.example>",
  "--public-origin",
  url,
];

const isListening = (port) =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** Decodes a message whose lines can be in the encoding `quoted-printable`, of ASCII. */
const decode = (text) =>
  /^Content-Transfer-Encoding: quoted-printable$/m.test(text)
    ? text
        .replaceAll("=\n", "")
        .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
    : text;

/** Starts a mail server that ends with the tests of the file. */
export const startMailServer = async () => {
  const port = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), "sprong-mail-"));
  const maildir = join(folder, "mail");
  const own = ["--nosetuid", "--listen", `127.0.0.1:${port}`];
  const child = spawn(
    "/usr/bin/python3",
    ["-m", "aiosmtpd", ...own, "--class", "aiosmtpd.handlers.Mailbox", maildir],
    { stdio: "ignore" },
  );
  process.once("exit", () => child.kill());
  after(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await waitUntil("the mail server listens", () => isListening(port));
  const read = new Set();
  const unread = () =>
    existsSync(join(maildir, "new"))
      ? readdirSync(join(maildir, "new")).filter((name) => !read.has(name))
      : [];
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Waits for the next message and returns its text. */
    next: async () => {
      await waitUntil("a message has come", () => unread().length > 0);
      const [name] = unread();
      read.add(name);
      return decode(readFileSync(join(maildir, "new", name), "utf8").replaceAll("\r\n", "\n"));
    },
  };
};
