// Authenticator app of the tests: codes by RFC 6238.
import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30000;

const fromBase32 = (text) => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g);
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
};

/** Returns a code of a secret in base32: the current one, or one so many steps later. */
export const totpCode = (secret, later = 0) => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + later));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest[19] & 15) & 0x7fffffff;
  return String(number % 1000000).padStart(6, "0");
};
