// Sounds: synthesis with Web Audio, and playback.
//
// Sounds are short and dry, synthesized per board material, without audio files. They are off by
// default, and silent until the first user activation, which the browser requires.
import { moveSounds } from "./timeline.js";
import { soundSetting, storedText } from "../lib/settings.js";

/**
 * Tone with a gliding pitch, in Hz.
 * @typedef {{ type?: OscillatorType, from: number, to?: number, ms: number, volume: number }} Tone
 */

/**
 * Filtered noise: center frequency in Hz, and Q factor.
 * @typedef {object} Noise
 * @property {BiquadFilterType} [kind]
 * @property {number} band
 * @property {number} [q]
 * @property {number} ms
 * @property {number} volume
 */

/**
 * Generator of a sound at a time of the context, in seconds.
 * @callback Synth
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {number} at
 * @param {{ material: string, step?: number }} options
 * @returns {void}
 */

const noises = new WeakMap();

/**
 * Returns a quarter second of white noise, cached per context.
 * @param {BaseAudioContext} context
 * @returns {AudioBuffer}
 */
const whiteNoise = (context) => {
  if (!noises.has(context)) {
    const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = 2 * Math.random() - 1;
    noises.set(context, buffer);
  }
  return noises.get(context);
};

/**
 * Creates a gain node with a fast attack and an exponential decay.
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {number} at in seconds
 * @param {number} ms
 * @param {number} volume
 */
const envelope = (context, out, at, ms, volume) => {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(volume, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + ms / 1000);
  gain.connect(out);
  return gain;
};

/**
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {number} at in seconds
 * @param {Tone} shape
 */
const tone = (context, out, at, { type = "sine", from, to = from, ms, volume }) => {
  const source = context.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + ms / 1000);
  source.connect(envelope(context, out, at, ms, volume));
  source.start(at);
  source.stop(at + ms / 1000 + 0.02);
};

/**
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {number} at in seconds
 * @param {Noise} shape
 */
const noiseBurst = (context, out, at, { kind = "bandpass", band, q = 1, ms, volume }) => {
  const [source, filter] = [context.createBufferSource(), context.createBiquadFilter()];
  source.buffer = whiteNoise(context);
  filter.type = kind;
  filter.frequency.value = band;
  filter.Q.value = q;
  source.connect(filter).connect(envelope(context, out, at, ms, volume));
  source.start(at);
  source.stop(at + ms / 1000 + 0.02);
};

/**
 * Tones and noises of a tap, by material.
 * @type {Record<string, [tones: Tone[], noises: Noise[]]>}
 */
const TAPS = {
  wood: [[{ from: 340, to: 190, ms: 80, volume: 0.6 }], [{ band: 1300, ms: 22, volume: 0.5 }]],
  slate: [
    [{ type: "triangle", from: 2300, to: 1700, ms: 26, volume: 0.22 }],
    [{ kind: "highpass", band: 3400, ms: 34, volume: 0.35 }],
  ],
  linen: [
    [{ from: 150, to: 85, ms: 110, volume: 0.75 }],
    [{ kind: "lowpass", band: 700, ms: 40, volume: 0.4 }],
  ],
  tile: [
    [
      { from: 2050, ms: 45, volume: 0.35 },
      { from: 3120, ms: 30, volume: 0.15 },
    ],
    [{ band: 4200, ms: 10, volume: 0.3 }],
  ],
  peg: [
    [{ type: "triangle", from: 640, to: 430, ms: 70, volume: 0.6 }],
    [{ band: 1900, ms: 14, volume: 0.3 }],
  ],
};

/**
 * Plays a tap on a material.
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {number} at in seconds
 * @param {string} material
 * @param {number} pitch factor of all frequencies
 * @param {number} volume
 */
const tap = (context, out, at, material, pitch, volume = 1) => {
  const [tones, noise] = TAPS[material];
  for (const each of tones)
    tone(context, out, at, {
      ...each,
      from: each.from * pitch,
      to: (each.to ?? each.from) * pitch,
      volume: each.volume * volume,
    });
  for (const each of noise)
    noiseBurst(context, out, at, {
      ...each,
      band: each.band * pitch,
      volume: each.volume * volume,
    });
};

/**
 * Plays tones in succession.
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {number} at in seconds
 * @param {number[]} pitches in Hz
 * @param {number} apart in milliseconds
 * @param {{ ms: number, volume: number }} shape
 */
const toneSequence = (context, out, at, pitches, apart, shape) =>
  pitches.forEach((from, number) =>
    tone(context, out, at + (number * apart) / 1000, { from, ...shape }),
  );

/**
 * Sounds by name.
 * @type {Record<string, Synth>}
 */
const SOUNDS = {
  move: (context, out, at, { material, step = 0 }) =>
    tap(context, out, at, material, 1 + 0.06 * Math.min(step, 8)),
  second: (context, out, at, { material }) => tap(context, out, at, material, 0.68, 0.8),
  turn: (context, out, at, { material }) =>
    [0, 0.045].forEach((later) => tap(context, out, at + later, material, 1.25, 0.6)),
  strike: (context, out, at) =>
    tone(context, out, at, { type: "triangle", from: 392, to: 380, ms: 240, volume: 0.6 }),
  wipe: (context, out, at) =>
    noiseBurst(context, out, at, { band: 2600, q: 0.7, ms: 120, volume: 0.6 }),
  yours: (context, out, at) => toneSequence(context, out, at, [587], 0, { ms: 260, volume: 0.35 }),
  accepted: (context, out, at) =>
    toneSequence(context, out, at, [523, 698], 130, { ms: 260, volume: 0.5 }),
  end: (context, out, at) =>
    toneSequence(context, out, at, [523, 440, 523], 170, { ms: 340, volume: 0.45 }),
  low: (context, out, at) =>
    tone(context, out, at, { type: "square", from: 1250, ms: 18, volume: 0.3 }),
};

/** Maximum amplitude of a sample: -12 dBFS. */
export const PEAK_AMPLITUDE = 10 ** (-12 / 20);

/**
 * Creates the output node of all sounds, which scales to `PEAK_AMPLITUDE` and clips louder samples.
 * @param {BaseAudioContext} context
 * @param {AudioNode} [destination]
 * @returns {AudioNode}
 */
export const createOutput = (context, destination = context.destination) => {
  const shaper = context.createWaveShaper();
  shaper.curve = new Float32Array([-PEAK_AMPLITUDE, PEAK_AMPLITUDE]);
  shaper.connect(destination);
  return shaper;
};

/**
 * Schedules a sound.
 * @param {BaseAudioContext} context
 * @param {AudioNode} out
 * @param {string} name name of the sound
 * @param {number} at time of the context, in seconds
 * @param {{ material?: string, step?: number }} options
 */
export const scheduleSound = (context, out, name, at, { material = "wood", step = 0 } = {}) =>
  SOUNDS[name](context, out, at, { material, step });

/** Sounds that are also played while the page is hidden. */
const BACKGROUND_SOUNDS = new Set(["yours", "accepted"]);

/** Delay of the navigation to a game, for the sound that announces it. */
const LEAVE_DELAY_MS = 420;

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioNode | null} */
let out = null;
/** @type {GainNode | null} */
let volumeNode = null;

const storedVolume = storedText("volume");

/** Returns the volume of all sounds, above 0 and at most 1. */
export const soundVolume = () => {
  const volume = Number(storedVolume.get() ?? 1);
  return volume > 0 && volume <= 1 ? volume : 1;
};

/** Returns the factor of the amplitude: loudness is felt by its square root. */
const amplitude = () => soundVolume() ** 2;

/** @param {number} volume */
export const setSoundVolume = (volume) => {
  storedVolume.set(String(volume));
  if (volumeNode) volumeNode.gain.value = amplitude();
};

/** Returns whether sounds are enabled. */
export const isSoundEnabled = () => soundSetting.get();

/**
 * Enables or disables sounds, and updates the switch of the header. Enabling plays a sample.
 * @param {boolean} on
 */
export const setSoundEnabled = (on) => {
  soundSetting.set(on);
  dispatchEvent(new Event("settings"));
  if (on) sound("yours");
};

/** Returns the audio context and output, or null if no sound can be played now. */
const audioOutput = () => {
  if (!navigator.userActivation?.hasBeenActive || !soundSetting.get() || !globalThis.AudioContext)
    return null;
  context ??= new AudioContext();
  if (!volumeNode) {
    volumeNode = context.createGain();
    volumeNode.gain.value = amplitude();
    volumeNode.connect(context.destination);
  }
  out ??= createOutput(context, volumeNode);
  if (context.state === "suspended") context.resume().catch(() => {});
  return { context, out };
};

/**
 * Plays notes on a material; returns whether a sound is played. Errors of the audio device are
 * ignored, since sounds are optional.
 * @param {{ name: string, at?: number, step?: number }[]} requested times in milliseconds
 * @param {string} [material]
 */
const play = (requested, material) => {
  const audible = requested.filter(({ name }) => !document.hidden || BACKGROUND_SOUNDS.has(name));
  try {
    const to = audible.length > 0 && audioOutput();
    if (!to) return false;
    for (const { name, at = 0, step } of audible)
      scheduleSound(to.context, to.out, name, to.context.currentTime + 0.01 + at / 1000, {
        material,
        step,
      });
    return true;
  } catch {
    return false;
  }
};

/**
 * Plays a sound.
 * @param {string} name
 * @param {number} at delay in milliseconds
 * @returns {number} time to wait before leaving the page, in milliseconds
 */
export const sound = (name, at = 0) => (play([{ name, at }]) ? LEAVE_DELAY_MS : 0);

/**
 * Plays the sounds of a move.
 * @param {Pick<PieceSet, "sweep" | "sound">} pieceSet
 * @param {import("./timeline.js").Timeline} times
 * @param {boolean} turns a piece is turned over
 */
export const soundMove = (pieceSet, times, turns) =>
  play(moveSounds(times, { turns, wipes: Boolean(pieceSet.sweep) }), pieceSet.sound);
