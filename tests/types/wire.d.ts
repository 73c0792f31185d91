// Server responses and socket messages: the shapes on which the client relies. Times are epoch
// milliseconds.

type Side = import("./messages").Side;

/** Visible effects of a move. */
type Trace = import("./messages").Trace;

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

type RatingRange = import("./messages").RangeOut;

type Shuffle = import("./messages").SeedCommitment;

interface PlayChoice {
  variant: VariantName;
  options: Options;
  eligible: boolean;
  ineligibleReason?: string;
  yourRating?: number;
  yourProvisional?: boolean;
}

type ClockChoice = import("./messages").ClockChoice;

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

type ClockTimes = import("./messages").ClocksOut;

type End = import("./messages").EndOut;

interface ChatMessage {
  v?: number;
  ply?: number | null;
  name: string;
  text: string;
  at: number;
  room: string;
}

type Gone = import("./messages").AbsenceOut;

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
  chat: ChatMessage[];
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
  reason: import("./messages").DrawReason | null;
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

/** Message of the server on any socket. */
type ServerMessage =
  | import("./messages").GameMessage
  | import("./messages").LobbyMessage
  | import("./messages").FollowedMessage
  | import("./messages").UserMessage
  | import("./messages").ReplyMessage;

type MessageData = {
  [T in ServerMessage["t"]]: Extract<ServerMessage, { t: T }>["d"];
};

/** Types that `Frames` describes more closely than the server. */
type Refined =
  | "full"
  | "hello"
  | "challenge"
  | "challengeGone"
  | "seatLost"
  | "ring"
  | "game"
  | "live"
  | "takeback"
  | "rematch";

/** Challenge that is no longer open; the lobby does not say why. */
type ChallengeGone = { id: string; status: Challenge["status"]; reasonKey?: string | null };

type Refusal = MessageData["refused"];

/** Socket messages by type, with their data. */
interface Frames extends Omit<MessageData, Refined> {
  /** The whole game, or the first page of the lobby. */
  full: any;
  hello: { turns: number; rings?: Ring[]; challenges?: Challenge[] };
  challenge: Challenge;
  seatLost: Challenge;
  ring: Ring;
  game: LiveGame;
  live: LiveGame;
  challengeGone: ChallengeGone;
  takeback: Partial<import("./messages").TakebackOut> & { by: Side | null };
  rematch: {
    by: Side | null;
    id?: string;
    sides?: import("./messages").RematchSides;
    board?: import("./messages").RematchBoard;
    status?: string;
  };
}

/** Socket message: type, event number of the game, and data. */
type Frame = { [T in keyof Frames]: { t: T; v?: number; d: Frames[T] } }[keyof Frames];
