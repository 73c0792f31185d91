// What the server sends: the shapes that the modules of the pages rely on. Moments are epoch milliseconds.

type Side = "first" | "second";

/** What is to be seen of a move. */
interface Trace {
  /** The way of each piece, cell by cell; a single cell: it was placed there. */
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
  /** Rows from the top, a letter a cell; `#` is no cell. */
  marks?: string[];
}

/** A variant wherever it is only named. */
interface VariantName {
  key: string;
  name: string;
  short?: string;
  names?: Record<string, string>;
}

interface Variant extends VariantName {
  names: Record<string, string>;
  /** What the first side and the second are called. */
  sides: string[];
  board: BoardShape;
  options: VariantOption[];
  /** Whether the start is drawn by lot. */
  chance: boolean;
}

/** Every variant by its key. Whoever asks with a key that the server has told finds one. */
interface Catalogue extends Map<string, Variant> {
  get(key: string): Variant;
}

/** What the rules answer. */
interface Answer {
  position: string;
  turn: Side;
  legal?: string[];
  outcome: Side | "draw" | null;
  reason: string | null;
  replay?: { position: string; trace: Trace }[];
  preview?: Trace;
}

/** What a question to the rules begins with. */
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
  /** The level of a player of the house. */
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
  /** In how many games it is awaited. */
  turns: number;
}

/** Somebody, by any of the shapes in which people are told of. */
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
  /** Of the page alone: what is said in place of its buttons since it went. */
  gone?: string;
}

interface ClockTimes {
  first: number;
  second: number;
  running: Side | null;
  /** Time on the way that can still be made good. */
  quota?: Record<Side, number>;
  at: number;
}

interface End {
  status: string;
  winner: Side | null;
  reason?: string | null;
  ratingDiff?: Record<Side, number> | null;
  /** Who aborted the game, or never made a first move. */
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

/** What is told of a game wherever one is. */
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

/** A game in play, as lists show it. */
interface LiveGame extends AnyGame {
  ply: number;
  watchers: number;
  cells: string;
  turn?: Side;
  clocks?: ClockTimes | null;
  lastMove?: string | null;
  last?: Trace | null;
}

/** A game of a player's list. */
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

/** What a position is worth: points, or in how many plies it is decided. */
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

/** What stands after a move was made or taken back. */
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

/** The words of the sockets, and what each of them bears. */
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

/** A message of a socket: its word, its place among the events of a game, and what it bears. */
type Frame = { [T in keyof Frames]: { t: T; v?: number; d: Frames[T] } }[keyof Frames];
