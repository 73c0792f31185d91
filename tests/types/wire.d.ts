// Server responses and socket messages: the shapes on which the client relies. Times are epoch
// milliseconds.

type Side = "first" | "second";

/** Visible effects of a move. */
interface Trace {
  /** Path of each piece, cell by cell; a single cell means a placed piece. */
  paths: string[][];
  removed?: string[];
  strikes?: string[][];
  groups?: string[][];
}

type OptionValue = string | number | boolean;
type Options = Record<string, OptionValue>;

interface VariantOption {
  key: string;
  values: OptionValue[];
  default: OptionValue;
}

interface BoardShape {
  cols: number;
  rows: number;
  /** Rows from the top, one letter per cell; `#` is no cell. */
  marks?: string[];
}

/** Variant in a short form. */
interface VariantName {
  key: string;
  name: string;
  short?: string;
  names?: Record<string, string>;
}

interface Variant extends VariantName {
  names: Record<string, string>;
  /** Names of the first and second side. */
  sides: string[];
  board: BoardShape;
  options: VariantOption[];
  /** Whether the start position is random. */
  chance: boolean;
}

/** Variants by key. Every key that the server sends exists. */
interface Catalogue extends Map<string, Variant> {
  get(key: string): Variant;
}

/** Answer of the rules. */
interface Answer {
  position: string;
  turn: Side;
  legal?: string[];
  outcome: Side | "draw" | null;
  reason: string | null;
  replay?: { position: string; trace: Trace }[];
  preview?: Trace;
}

/** Common part of all questions to the rules. */
interface Setup {
  variant: string;
  options: Options;
}

type TimeControl =
  | { type: "clock"; limit: number; increment: number; show: string; daysPerTurn?: undefined }
  | { type: "correspondence"; daysPerTurn: number; show?: undefined }
  | { type: "unlimited"; daysPerTurn?: undefined; show?: undefined };

interface Player {
  id: string;
  name: string;
  guest: boolean;
  title?: string;
  bot?: boolean;
  /** Level of a house account. */
  level?: number;
  rating: number;
  provisional: boolean;
  online?: boolean;
}

interface Perf {
  games: number;
  rating: number;
  rd: number;
  prov: boolean;
  prog: number;
}

interface User {
  id: string;
  username: string;
  guest: boolean;
  title?: string;
  bot?: boolean;
  level?: number;
  createdAt: number;
  seenAt: number;
  url: string;
  profile: { bio: string; location: string };
  perfs: Record<string, Perf>;
  count: Record<"all" | "rated" | "win" | "loss" | "draw" | "playing", number>;
  online: boolean;
  closed: boolean;
  blocking?: boolean;
  playing?: string;
}

interface Account extends User {
  admin: boolean;
  /** Number of games in which the account has to move. */
  turns: number;
}

/** User in any of the forms of the API. */
interface Person {
  id: string;
  name?: string;
  username?: string;
  title?: string;
  level?: number;
  online?: boolean;
}

interface RatingRange {
  min: number | null;
  max: number | null;
  rule?: string;
}

interface Shuffle {
  commitment: string;
  seed?: number;
  salt?: string;
}

interface PlayChoice {
  variant: VariantName;
  options: Options;
  eligible: boolean;
  ineligibleReason?: string;
  yourRating?: number;
  yourProvisional?: boolean;
}

interface ClockChoice {
  key: string;
  timeControl: TimeControl;
  speed: string;
}

interface Challenge {
  id: string;
  url: string;
  status: "created" | "accepted" | "canceled" | "declined" | "expired";
  kind: "seek" | "direct" | "rematch" | "link" | "open" | (string & {});
  challenger: Player | null;
  destUser: Player | null;
  variant: VariantName;
  options: Options;
  rated: boolean;
  speed: string;
  timeControl: TimeControl;
  color: string;
  side?: Side;
  ratingRange: RatingRange;
  provisional: "allow" | "deny";
  createdAt: number;
  expiresAt: number;
  eligible: boolean;
  ineligibleReason?: string;
  yourRating?: number;
  choices: { variants: PlayChoice[]; clocks: ClockChoice[] };
  standing: boolean;
  rematchOf?: string;
  sameBoard: boolean;
  declineReason?: string;
  declineReasonKey?: string;
  shuffle?: Shuffle;
  readyBy?: number | null;
  direction?: "in" | "out";
  urlFirst?: string;
  urlSecond?: string;
  seats?: { first: Player | null; second: Player | null };
  /** Client only: message that replaces the buttons of a challenge that is gone. */
  gone?: string;
}

interface ClockTimes {
  first: number;
  second: number;
  running: Side | null;
  /** Remaining lag compensation in milliseconds. */
  quota?: Record<Side, number>;
  at: number;
}

interface End {
  status: string;
  winner: Side | null;
  reason?: string | null;
  ratingDiff?: Record<Side, number> | null;
  /** Side that aborted the game or made no first move. */
  abortedBy?: Side | null;
  shuffle?: Shuffle;
  clock?: ClockTimes;
}

interface Said {
  v?: number;
  ply?: number | null;
  name: string;
  text: string;
  at: number;
  room: string;
}

interface Gone {
  side: Side;
  claimInMs: number | null;
}

/** Common fields of all game responses. */
interface AnyGame {
  id: string;
  variant: VariantName;
  rated: boolean;
  speed: string;
  timeControl: TimeControl;
  first: Player;
  second: Player;
}

interface Game extends AnyGame {
  options: Options;
  clock: { initial: number; increment: number } | null;
  daysPerTurn: number | null;
  createdAt: number;
  sides: string[];
  board: BoardShape;
  initialFen: string;
  shuffle: Shuffle | null;
  state: { moves: string; status: string };
  position: string;
  last: Trace | null;
  turn: Side;
  v: number;
  you: Side | null;
  clocks: ClockTimes | null;
  draw: Side | null;
  takeback: Side | null;
  gone: Gone[];
  end: End | null;
  chat: Said[];
  crowd: number;
  crowdNames: string[] | null;
  next?: string;
  abortable: boolean;
  startBy: number | null;
  dueBy?: number | null;
  legal?: string[];
}

/** Game in progress, in lists. */
interface LiveGame extends AnyGame {
  ply: number;
  watchers: number;
  cells: string;
  turn?: Side;
  clocks?: ClockTimes | null;
  lastMove?: string | null;
  last?: Trace | null;
}

/** Game in a player's list. */
interface Summary extends AnyGame {
  options: Options;
  createdAt: number;
  endedAt: number | null;
  status: string;
  winner: Side | null;
  reason: string | null;
  first: Player & { diff: number | null };
  second: Player & { diff: number | null };
  plies: number | null;
}

interface OwnGame {
  gameId: string;
  color: string;
  fen: string;
  isMyTurn: boolean;
  opponent: { id: string; username: string; title?: string; rating: number };
  secondsLeft: number | null;
  speed: string;
  variant: VariantName;
  timeControl: TimeControl;
}

/** Score of a position: points, or the number of plies to a decided end. */
interface Score {
  points?: number;
  win?: number;
  loss?: number;
}

interface Analysis {
  position: string;
  turn: Side;
  lines: { moves: string[]; score: Score; chance: number }[];
  depth: number;
  nodes: number;
}

interface ReviewLine {
  ply: number;
  chance: number;
  score: Score | null;
  best: string | null;
  played: string | null;
}

interface Ring {
  challenge: Challenge;
  by: Player;
  variant: Challenge["variant"];
  options: Options;
  timeControl: Challenge["timeControl"];
  readyBy: number;
}

interface ChallengeGone {
  id: string;
  status: Challenge["status"];
  reasonKey?: string | null;
}

/** Position after a move or takeback. */
interface Stand {
  ply: number;
  cells: string;
  extras: string;
  turn: Side;
  clock: ClockTimes | null;
  abortable: boolean;
  startBy: number | null;
  dueBy?: number | null;
  legal?: string[];
}

interface Refusal {
  cid: string;
  reason: string;
  error: string;
  rating?: number;
}

/** Socket messages by type, with their data. */
interface Frames {
  pong: { c: number; at: number };
  ack: { cid: string; v?: number };
  refused: Refusal;
  full: any;
  hello: { turns: number; rings?: Ring[]; challenges?: Challenge[] };
  turns: { n: number };
  signedOut: {};
  challenge: Challenge;
  challengeGone: ChallengeGone;
  seatLost: Challenge;
  ring: Ring;
  ringGone: { id: string; reason: string };
  start: { id: string; challenge?: string };
  game: LiveGame;
  gameGone: { id: string };
  live: LiveGame;
  liveGone: { id: string; status: string | null; winner: Side | null; reason: string | null };
  move: Stand & { u: string; by: Side; lag?: number; trace: Trace | null };
  takeback: Partial<Stand> & { by: Side | null; position?: string; last?: Trace | null };
  draw: { by: Side | null };
  clock: { clocks: ClockTimes | null; given?: { to: Side; ms: number }; lost?: number };
  chat: Said;
  end: End;
  gone: Gone;
  crowd: { n: number; names: string[] | null };
  next: { id: string };
  rematch: { by: Side | null; id?: string; sides?: string; board?: string; status?: string };
}

/** Socket message: type, event number of the game, and data. */
type Frame = { [T in keyof Frames]: { t: T; v?: number; d: Frames[T] } }[keyof Frames];
