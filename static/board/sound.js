// How each sound is made: small, dry, of the material of its board, no files. Whether any is heard, and when: off until somebody
// switches it on; never before the page was touched.
import { score } from "./timeline.js";
import { wish } from "../lib/settings.js";

const noises = new WeakMap();

/** A quarter of a second of noise, made once for each context. */
const noiseOf = (context) => {
  if (!noises.has(context)) {
    const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = 2 * Math.random() - 1;
    noises.set(context, buffer);
  }
  return noises.get(context);
};

/** Something that begins at once and dies away. */
const fading = (context, out, at, ms, loud) => {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + ms / 1000);
  gain.connect(out);
  return gain;
};

const tone = (context, out, at, { type = "sine", from, to = from, ms, loud }) => {
  const source = context.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + ms / 1000);
  source.connect(fading(context, out, at, ms, loud));
  source.start(at);
  source.stop(at + ms / 1000 + 0.02);
};

const hiss = (context, out, at, { kind = "bandpass", band, wide = 1, ms, loud }) => {
  const [source, filter] = [context.createBufferSource(), context.createBiquadFilter()];
  source.buffer = noiseOf(context);
  Object.assign(filter, { type: kind });
  filter.frequency.value = band;
  filter.Q.value = wide;
  source.connect(filter).connect(fading(context, out, at, ms, loud));
  source.start(at);
  source.stop(at + ms / 1000 + 0.02);
};

/** A tap on each material: its tones and its noises; pitch is a factor. */
const TAPS = {
  wood: [[{ from: 340, to: 190, ms: 80, loud: 0.6 }], [{ band: 1300, ms: 22, loud: 0.5 }]],
  slate: [
    [{ type: "triangle", from: 2300, to: 1700, ms: 26, loud: 0.22 }],
    [{ kind: "highpass", band: 3400, ms: 34, loud: 0.35 }],
  ],
  linen: [
    [{ from: 150, to: 85, ms: 110, loud: 0.75 }],
    [{ kind: "lowpass", band: 700, ms: 40, loud: 0.4 }],
  ],
  tile: [
    [
      { from: 2050, ms: 45, loud: 0.35 },
      { from: 3120, ms: 30, loud: 0.15 },
    ],
    [{ band: 4200, ms: 10, loud: 0.3 }],
  ],
  peg: [
    [{ type: "triangle", from: 640, to: 430, ms: 70, loud: 0.6 }],
    [{ band: 1900, ms: 14, loud: 0.3 }],
  ],
};

const tap = (context, out, at, material, pitch, loud = 1) => {
  const [tones, noise] = TAPS[material];
  for (const each of tones)
    tone(context, out, at, {
      ...each,
      from: each.from * pitch,
      to: (each.to ?? each.from) * pitch,
      loud: each.loud * loud,
    });
  for (const each of noise)
    hiss(context, out, at, { ...each, band: each.band * pitch, loud: each.loud * loud });
};

const notes = (context, out, at, pitches, apart, shape) =>
  pitches.forEach((from, number) =>
    tone(context, out, at + (number * apart) / 1000, { from, ...shape }),
  );

/** What can be heard, by name: `(context, out, at in seconds, { material, step })`. */
const SOUNDS = {
  move: (context, out, at, { material, step = 0 }) =>
    tap(context, out, at, material, 1 + 0.06 * Math.min(step, 8)),
  second: (context, out, at, { material }) => tap(context, out, at, material, 0.68, 0.8),
  turn: (context, out, at, { material }) =>
    [0, 0.045].forEach((later) => tap(context, out, at + later, material, 1.25, 0.6)),
  strike: (context, out, at) =>
    tone(context, out, at, { type: "triangle", from: 392, to: 380, ms: 240, loud: 0.6 }),
  wipe: (context, out, at) => hiss(context, out, at, { band: 2600, wide: 0.7, ms: 120, loud: 0.6 }),
  yours: (context, out, at) => notes(context, out, at, [587], 0, { ms: 260, loud: 0.35 }),
  accepted: (context, out, at) => notes(context, out, at, [523, 698], 130, { ms: 260, loud: 0.5 }),
  end: (context, out, at) => notes(context, out, at, [523, 440, 523], 170, { ms: 340, loud: 0.45 }),
  low: (context, out, at) =>
    tone(context, out, at, { type: "square", from: 1250, ms: 18, loud: 0.3 }),
};

/** No sample ever goes beyond this: twelve decibels under the full scale. */
export const LOUDEST = 10 ** (-12 / 20);

/**
 * Where all sounds go into: full scale becomes `LOUDEST`, and what is louder is cut there.
 * @param {BaseAudioContext} context
 * @returns {AudioNode}
 */
export const outlet = (context) => {
  const shaper = context.createWaveShaper();
  shaper.curve = new Float32Array([-LOUDEST, LOUDEST]);
  shaper.connect(context.destination);
  return shaper;
};

/**
 * Makes a sound by its name.
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {string} what
 * @param {number} at a moment of the context, in seconds
 * @param {{ material?: string, step?: number }} how
 */
export const voice = (context, out, what, at, { material = "wood", step = 0 } = {}) =>
  SOUNDS[what](context, out, at, { material, step });

/** What calls somebody who looks at another page. */
const CALLS = new Set(["yours", "accepted"]);

/** How long the sound that calls to a game is waited for before that page takes this one's place. */
const CALL_MS = 420;

const wanted = wish("sound", false);

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioNode | null} */
let out = null;

/** Whether it is switched on. */
export const sounds = () => wanted.is();

/** From now on so; what is switched on is heard at once. */
export const setSounds = (on) => {
  wanted.set(on);
  if (on) sound("yours");
};

const ready = () => {
  if (!navigator.userActivation?.hasBeenActive || !wanted.is() || !globalThis.AudioContext)
    return null;
  context ??= new AudioContext();
  out ??= outlet(context);
  if (context.state === "suspended") context.resume().catch(() => {});
  return { context, out };
};

/** Plays notes `{ what, at, step }` on a material; answers whether anything is heard. A device that will not sound stops nothing else. */
const play = (asked, material) => {
  const heard = asked.filter(({ what }) => !document.hidden || CALLS.has(what));
  try {
    const to = heard.length > 0 && ready();
    if (!to) return false;
    for (const { what, at = 0, step } of heard)
      voice(to.context, to.out, what, to.context.currentTime + 0.01 + at / 1000, {
        material,
        step,
      });
    return true;
  } catch {
    return false;
  }
};

/**
 * Plays one sound by its name, so many milliseconds from now.
 * @returns {number} how long it should be waited for, in milliseconds
 */
export const sound = (what, at = 0) => (play([{ what, at }]) ? CALL_MS : 0);

/** Plays what is heard of a move: `times` is its timeline, `turns` whether a piece was turned over. */
export const soundMove = (glyph, times, turns) =>
  play(score(times, { turns, wipes: Boolean(glyph.sweep) }), glyph.sound);
