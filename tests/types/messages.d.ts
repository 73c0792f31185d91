// Types of the WebSocket messages, written by message-types.test.mjs.

/**
 * Side of a game, by move order. The variant names its colors ([`VariantInfo::sides`]).
 */
export type Side = "first" | "second";
/**
 * Account as shown to its owner.
 */
export type AccountOut = UserOut & {
  /**
   * Whether the account is a moderator.
   */
  admin: boolean;
  /**
   * Number of games in which it is the account's turn.
   */
  turns: number;
};
/**
 * Time control.
 */
export type TimeControlOut =
  | {
      /**
       * Increment per move in seconds.
       */
      increment: number;
      /**
       * Initial time in seconds.
       */
      limit: number;
      /**
       * Usual notation, with the initial time in minutes.
       */
      show: string;
      type: "clock";
    }
  | {
      /**
       * Days per move.
       */
      daysPerTurn: number;
      type: "correspondence";
    }
  | {
      type: "unlimited";
    };
/**
 * Reason of a refusal.
 */
export type Reason =
  | "anonymous"
  | "badBody"
  | "badChoice"
  | "badColor"
  | "badExpiry"
  | "badField"
  | "badFrame"
  | "badLevel"
  | "badLink"
  | "badLogin"
  | "badMethod"
  | "badName"
  | "badOption"
  | "badPassword"
  | "badPath"
  | "badPosition"
  | "badRange"
  | "badRequest"
  | "badTime"
  | "badToken"
  | "badVariant"
  | "blocked"
  | "botsCasual"
  | "broken"
  | "busy"
  | "canceled"
  | "clockFull"
  | "contradiction"
  | "dailyLimit"
  | "declined"
  | "empty"
  | "enoughTakenBack"
  | "expired"
  | "exportUnderWay"
  | "foreignOrigin"
  | "full"
  | "hasGames"
  | "illegal"
  | "liveRatedGame"
  | "missingScope"
  | "muted"
  | "nameAlike"
  | "nameTaken"
  | "noClock"
  | "noHint"
  | "noOffer"
  | "notABot"
  | "notAdmin"
  | "notAPlayer"
  | "notForYou"
  | "notFound"
  | "notGone"
  | "nothingToTakeBack"
  | "notOver"
  | "notReady"
  | "notStored"
  | "notYourTurn"
  | "offered"
  | "over"
  | "own"
  | "provisional"
  | "ratingTooHigh"
  | "ratingTooLow"
  | "replaced"
  | "replacesSession"
  | "sessionOnly"
  | "stale"
  | "stopping"
  | "taken"
  | "timeout"
  | "tooFast"
  | "tooLarge"
  | "tooLate"
  | "tooLong"
  | "tooMany"
  | "tooManyAborts"
  | "tooManyConnections"
  | "tooManyGames"
  | "tooManyLines"
  | "tooManyOfAddress"
  | "tooManyOfGuest"
  | "tooManyReadyChecks"
  | "tooSoon"
  | "unknown";
/**
 * Chat room of a game.
 */
export type ChatRoom = "player" | "spectator";
/**
 * Result that a player claims.
 */
export type Claim = "win" | "draw";
/**
 * Action on a draw.
 */
export type DrawAnswer = "yes" | "offer" | "accept" | "no" | "claim";
/**
 * Reason for a draw.
 */
export type DrawReason = "agreement" | "repetition" | "noProgress" | "moveLimit" | "claim";
/**
 * Status of a game, with the names and numbers of the lichess API.
 */
export type GameStatus =
  "started" | "aborted" | "resign" | "timeout" | "draw" | "outoftime" | "noStart" | "variantEnd";
/**
 * Message on `/ws/live`.
 */
export type FollowMessage =
  | {
      d: Ping;
      t: "ping";
    }
  | {
      /**
       * Sets the games to follow.
       */
      d: {
        /**
         * Command id, returned in the `ack`.
         */
        cid?: string | null;
        /**
         * Ids of the games, at most 16.
         */
        ids: string[];
      };
      t: "watch";
    };
/**
 * Message on `/ws/live`.
 */
export type FollowedMessage =
  | {
      d: LiveGameOut;
      t: "live";
    }
  | {
      d: LiveGameEnd;
      t: "liveGone";
    };
/**
 * Game in play with the state of its board.
 */
export type LiveGameOut = LiveOut & {
  clocks: ClocksOut | null;
  last: Trace | null;
  /**
   * Notation of the last move.
   */
  lastMove: string | null;
  turn: Side;
};
/**
 * Message on `/ws/game/{id}`.
 */
export type GameMessage =
  | {
      d: GameFull;
      t: "full";
    }
  | {
      d: MoveOut;
      t: "move";
    }
  | {
      d: TakebackMessage;
      t: "takeback";
    }
  | {
      d: OfferOut;
      t: "draw";
    }
  | {
      d: ClockMessage;
      t: "clock";
    }
  | {
      /**
       * Chat message.
       */
      d: {
        /**
         * Epoch milliseconds.
         */
        at: number;
        /**
         * Name of the writer.
         */
        name: string;
        /**
         * Number of plies played before.
         */
        ply: number;
        room: ChatRoom;
        text: string;
      };
      t: "chat";
    }
  | {
      d: EndOut;
      t: "end";
    }
  | {
      /**
       * The spectators have changed.
       */
      d: {
        /**
         * Number of spectators.
         */
        n: number;
        /**
         * Their names; null if there are too many.
         */
        names: string[] | null;
      };
      t: "crowd";
    }
  | {
      d: AbsenceOut;
      t: "gone";
    }
  | {
      /**
       * The rematch has begun.
       */
      d: {
        /**
         * Id of the rematch.
         */
        id: string;
      };
      t: "next";
    }
  | {
      d: RematchMessage;
      t: "rematch";
    };
/**
 * Move with the position after it.
 */
export type MoveOut = PositionUpdateOut & {
  by: Side;
  /**
   * Compensated lag, in milliseconds.
   */
  lag?: number;
  trace: Trace | null;
  /**
   * Notation.
   */
  u: string;
};
/**
 * Takeback that was agreed, or its offer.
 */
export type TakebackMessage = TakebackOut | OfferOut;
/**
 * Position after a takeback.
 */
export type TakebackOut = PositionUpdateOut & {
  by: Side | null;
  last: Trace | null;
  /**
   * Position text.
   */
  position: string;
};
/**
 * Offer of a rematch, or its end.
 */
export type RematchMessage =
  | {
      board: RematchBoard;
      by: Side;
      /**
       * Id of the challenge.
       */
      id: string;
      sides: RematchSides;
    }
  | {
      by: Side | null;
      /**
       * Status of the challenge.
       */
      status: string;
    };
/**
 * Start position of a rematch.
 */
export type RematchBoard = "same" | "new";
/**
 * Sides of a rematch.
 */
export type RematchSides = "same" | "changed";
/**
 * Message on `/ws/lobby`.
 */
export type LobbyMessage =
  | {
      d: LobbyOut;
      t: "full";
    }
  | {
      d: ChallengeOut;
      t: "challenge";
    }
  | {
      /**
       * A challenge is no longer open or visible.
       */
      d: {
        /**
         * Id of the challenge.
         */
        id: string;
        /**
         * Status of the challenge.
         */
        status: string;
      };
      t: "challengeGone";
    }
  | {
      d: LiveOut;
      t: "game";
    }
  | {
      /**
       * A game is over.
       */
      d: {
        /**
         * Id of the game.
         */
        id: string;
      };
      t: "gameGone";
    };
/**
 * Action on an offer: a draw or a takeback, which takes the consent of both players.
 */
export type OfferAction = "yes" | "offer" | "accept" | "no";
/**
 * Message on `/ws/lobby` and `/ws/me`.
 */
export type PingOnly = {
  d: Ping;
  t: "ping";
};
/**
 * Command of a player: a message with a command id.
 *
 * A command that is sent again with the same id is executed once, and answered again.
 */
export type PlayMessage =
  | {
      d: Ping;
      t: "ping";
    }
  | {
      /**
       * Makes a move.
       */
      d: {
        /**
         * Command id.
         */
        cid: string;
        /**
         * Number of plies that the player has seen.
         */
        ply: number;
        /**
         * Notation of the move.
         */
        u: string;
      };
      t: "move";
    }
  | {
      /**
       * Resigns.
       */
      d: {
        /**
         * Command id.
         */
        cid: string;
      };
      t: "resign";
    }
  | {
      /**
       * Aborts the game, before both sides have moved.
       */
      d: {
        /**
         * Command id.
         */
        cid: string;
      };
      t: "abort";
    }
  | {
      /**
       * Offers, accepts, declines or claims a draw.
       */
      d: {
        answer: DrawAnswer;
        /**
         * Command id.
         */
        cid: string;
        /**
         * Number of plies that the player has seen.
         */
        ply?: number | null;
      };
      t: "draw";
    }
  | {
      /**
       * Requests, accepts or declines a takeback.
       */
      d: {
        answer: OfferAction;
        /**
         * Command id.
         */
        cid: string;
        /**
         * Number of plies that the player has seen.
         */
        ply?: number | null;
      };
      t: "takeback";
    }
  | {
      /**
       * Gives the opponent 15 seconds.
       */
      d: {
        /**
         * Command id.
         */
        cid: string;
      };
      t: "moretime";
    }
  | {
      /**
       * Claims the game of an absent opponent.
       */
      d: {
        answer?: Claim | null;
        /**
         * Command id.
         */
        cid: string;
      };
      t: "claim";
    }
  | {
      /**
       * Writes to the chat.
       */
      d: {
        /**
         * Command id.
         */
        cid: string;
        /**
         * Chat room; by default that of the writer.
         */
        room?: string | null;
        /**
         * Text of the message.
         */
        text?: string | null;
      };
      t: "talk";
    }
  | {
      /**
       * Offers, accepts or declines a rematch.
       */
      d: {
        answer: YesNo;
        board?: RematchBoard | null;
        /**
         * Command id.
         */
        cid?: string | null;
        sides?: RematchSides | null;
      };
      t: "rematch";
    };
/**
 * Answer to a question.
 */
export type YesNo = "yes" | "no";
/**
 * Answer to a message of the client.
 */
export type ReplyMessage =
  | {
      /**
       * Answer to a ping.
       */
      d: {
        /**
         * Time of the server, in epoch milliseconds.
         */
        at: number;
        /**
         * Time of the client, as in the ping.
         */
        c: number | null;
      };
      t: "pong";
    }
  | {
      /**
       * The command is executed and stored.
       */
      d: {
        /**
         * Command id.
         */
        cid: string | null;
        /**
         * Number of the command's first event, if the command is one of a game.
         */
        v?: number;
      };
      t: "ack";
    }
  | {
      /**
       * The message is refused.
       */
      d: {
        /**
         * Command id, if the message has one.
         */
        cid: string | null;
        /**
         * Sentence for people.
         */
        error: string;
        /**
         * Rating of the requester, if it is the reason.
         */
        rating?: number;
        reason: Reason;
      };
      t: "refused";
    };
/**
 * Event of the signed-in user.
 */
export type UserMessage =
  | {
      /**
       * State at the start of the connection.
       */
      d: {
        /**
         * Open challenges addressed to the user.
         */
        challenges: ChallengeOut[];
        /**
         * Ready checks that the user has to answer.
         */
        rings: ReadyCheckOut[];
        /**
         * Number of correspondence games in which the user is to move.
         */
        turns: number;
      };
      t: "hello";
    }
  | {
      d: ChallengeOut;
      t: "challenge";
    }
  | {
      /**
       * Such a challenge is no longer open.
       */
      d: {
        /**
         * Id of the challenge.
         */
        id: string;
        /**
         * Reason of a declined challenge.
         */
        reasonKey: string | null;
        /**
         * Status of the challenge.
         */
        status: string;
      };
      t: "challengeGone";
    }
  | {
      d: ChallengeOut;
      t: "seatLost";
    }
  | {
      d: ReadyCheckOut;
      t: "ring";
    }
  | {
      /**
       * A ready check has ended.
       */
      d: {
        /**
         * Id of the challenge.
         */
        id: string;
        /**
         * Reason code.
         */
        reason: string;
      };
      t: "ringGone";
    }
  | {
      /**
       * A game of the user has begun.
       */
      d: {
        /**
         * Id of its challenge.
         */
        challenge: string;
        /**
         * Id of the game.
         */
        id: string;
      };
      t: "start";
    }
  | {
      /**
       * The number of correspondence games in which the user is to move has changed.
       */
      d: {
        /**
         * Number of games.
         */
        n: number;
      };
      t: "turns";
    }
  | {
      /**
       * The session has ended; the connection is closed.
       */
      d: {};
      t: "signedOut";
    };

/**
 * Absent player.
 */
export interface AbsenceOut {
  /**
   * Milliseconds until the opponent can claim the game; null if the player is back.
   */
  claimInMs: number | null;
  side: Side;
}
/**
 * Player as shown to every client.
 */
export interface UserOut {
  /**
   * Whether the requester has blocked the player.
   */
  blocking?: boolean;
  /**
   * Whether the account is a bot.
   */
  bot?: boolean;
  closed: boolean;
  count: GameCounts;
  createdAt: number;
  /**
   * Same as `closed`, by its lichess name.
   */
  disabled?: boolean;
  guest: boolean;
  id: string;
  /**
   * Level of an engine account, 1 to 8.
   */
  level?: number;
  online: boolean;
  /**
   * Ratings by variant.
   */
  perfs: {
    [k: string]: PerfOut;
  };
  /**
   * Address of a game in play.
   */
  playing?: string;
  profile: ProfileOut;
  seenAt: number;
  title?: string;
  url: string;
  username: string;
}
/**
 * Numbers of games.
 */
export interface GameCounts {
  all: number;
  /**
   * Always 0, like `import`: games cannot be bookmarked or imported.
   */
  bookmark: number;
  draw: number;
  import: number;
  loss: number;
  /**
   * Games against the requester.
   */
  me: number;
  playing: number;
  rated: number;
  win: number;
}
/**
 * Rating in one variant.
 */
export interface PerfOut {
  games: number;
  /**
   * Rating change over the last twelve games.
   */
  prog: number;
  prov: boolean;
  rating: number;
  rd: number;
}
/**
 * Profile texts of a player.
 */
export interface ProfileOut {
  bio: string;
  location: string;
}
/**
 * Challenge as one viewer sees it.
 */
export interface ChallengeOut {
  challenger: PlayerOut | null;
  challengerRange?: RangeOut;
  choices: Choices;
  /**
   * Lichess color of the challenger's side in the first variant, or `random`.
   */
  color: string;
  createdAt: number;
  declineReason?: string;
  declineReasonKey?: string;
  destUser: PlayerOut | null;
  direction?: string;
  eligible: boolean;
  expiresAt: number;
  finalColor: string | null;
  id: string;
  ineligibleReason?: Reason;
  kind: string;
  open?: OpenSeats;
  options: {};
  perf: PerfName;
  provisional: string;
  rated: boolean;
  ratingRange: RangeOut;
  /**
   * Deadline of the ready check, in epoch milliseconds.
   */
  readyBy?: number;
  rematchOf?: string;
  /**
   * Whether a rematch repeats the random start of the previous game.
   */
  sameBoard: boolean;
  seats?: Seats;
  shuffle?: SeedCommitment;
  /**
   * Side of the challenger: `first` or `second`; absent if random.
   */
  side?: string;
  speed: string;
  standing: boolean;
  status: string;
  timeControl: TimeControlOut;
  url: string;
  urlBlack?: string;
  urlFirst?: string;
  urlSecond?: string;
  urlWhite?: string;
  variant: VariantOut;
  yourRating?: number;
}
/**
 * Player of a game or challenge.
 */
export interface PlayerOut {
  /**
   * Whether the account is a bot.
   */
  bot?: boolean;
  guest: boolean;
  id: string;
  /**
   * Level of an engine account, 1 to 8.
   */
  level?: number;
  name: string;
  online?: boolean;
  provisional: boolean;
  rating: number;
  title?: string;
}
/**
 * Range of ratings that may accept.
 */
export interface RangeOut {
  /**
   * Highest rating; null if unbounded.
   */
  max: number | null;
  /**
   * Lowest rating; null if unbounded.
   */
  min: number | null;
  /**
   * Rule by which the range follows the challenger's rating, if it does.
   */
  rule?: string;
}
/**
 * Variants and time controls that an acceptor can choose from.
 */
export interface Choices {
  clocks: ClockChoice[];
  variants: PlayChoice[];
}
/**
 * Time control offered by a challenge.
 */
export interface ClockChoice {
  key: string;
  speed: string;
  timeControl: TimeControlOut;
}
/**
 * Variant offered by a challenge.
 */
export interface PlayChoice {
  eligible: boolean;
  ineligibleReason?: Reason;
  options: {};
  variant: VariantOut;
  yourProvisional?: boolean;
  yourRating?: number;
}
/**
 * Key and name of a variant.
 */
export interface VariantOut {
  /**
   * Key in the API.
   */
  key: string;
  /**
   * English name.
   */
  name: string;
  /**
   * Same as `name`.
   */
  short: string;
}
/**
 * Marker of a challenge with two free seats, in the lichess format; it restricts them to no users.
 */
export interface OpenSeats {}
/**
 * Name of a rating category: a variant.
 */
export interface PerfName {
  /**
   * Character of the lichess icon font; always empty.
   */
  icon: string;
  name: string;
}
/**
 * Seats of a challenge that any two players may take.
 */
export interface Seats {
  first: PlayerOut | null;
  second: PlayerOut | null;
}
/**
 * Published part of the commit–reveal scheme, as JSON.
 */
export interface SeedCommitment {
  /**
   * SHA-256 of `seed:salt` in hexadecimal digits, with the seed in decimal and the salt in
   * hexadecimal digits.
   */
  commitment: string;
  /**
   * Salt in hexadecimal digits, once the game is over.
   */
  salt?: string;
  /**
   * Seed, once the game is over.
   */
  seed?: number;
}
/**
 * Chat message.
 */
export interface ChatMessageOut {
  /**
   * Epoch milliseconds.
   */
  at: number;
  name: string;
  /**
   * Number of plies played before.
   */
  ply: number;
  room: ChatRoom;
  text: string;
  /**
   * Number of the event in the game's log.
   */
  v: number;
}
/**
 * Change of the clocks.
 */
export interface ClockMessage {
  clocks: ClocksOut | null;
  given?: GivenTimeOut;
  /**
   * Excluded outage of the server, in milliseconds.
   */
  lost?: number;
}
/**
 * Both clocks at one moment, in milliseconds.
 */
export interface ClocksOut {
  /**
   * Moment of the values, in epoch milliseconds.
   */
  at: number;
  first: number;
  quota: QuotaOut;
  running: Side | null;
  second: number;
}
/**
 * Lag compensation left to each side, in milliseconds.
 */
export interface QuotaOut {
  first: number;
  second: number;
}
/**
 * Time given to a side.
 */
export interface GivenTimeOut {
  /**
   * Milliseconds.
   */
  ms: number;
  to: Side;
}
/**
 * Clock settings of a game, in milliseconds.
 */
export interface ClockOut {
  increment: number;
  initial: number;
}
/**
 * Result of a game.
 */
export interface EndOut {
  abortedBy?: Side;
  clock?: ClocksOut;
  ratingDiff: RatingDiffOut | null;
  reason: DrawReason | null;
  shuffle?: SeedCommitment;
  status: GameStatus;
  winner: Side | null;
}
/**
 * Rating change of each side.
 */
export interface RatingDiffOut {
  first: number;
  second: number;
}
/**
 * Keep-alive, answered by `pong`.
 */
export interface Ping {
  /**
   * Time of the client, returned in the `pong`.
   */
  c?: number | null;
  /**
   * Round-trip time of the previous ping, in milliseconds.
   */
  lag?: number | null;
}
/**
 * Game in play, as listed in the lobby.
 */
export interface LiveOut {
  /**
   * Cells of the position text.
   */
  cells: string;
  first: PlayerOut;
  id: string;
  /**
   * Number of plies played.
   */
  ply: number;
  rated: boolean;
  second: PlayerOut;
  speed: string;
  timeControl: TimeControlOut;
  variant: VariantOut;
  watchers: number;
}
/**
 * Visible effects of a move, for animation and highlights. No rule depends on it.
 */
export interface Trace {
  /**
   * Groups from which the mover may remove one piece, removed or not.
   */
  groups?: string[][];
  /**
   * Path of each moved piece: its origin, the cells it touches, its destination. A path of a
   * single cell is a placement from outside the board.
   */
  paths: string[][];
  /**
   * Cells whose piece (the top piece of a stack) or number leaves the board.
   */
  removed?: string[];
  /**
   * Lines along which pieces are captured: the capturing pieces in order, then the captured one.
   */
  strikes?: string[][];
}
/**
 * Game that is not in play, and its result; all fields but the id are null if there is no such
 * game.
 */
export interface LiveGameEnd {
  id: string;
  reason: DrawReason | null;
  status: GameStatus | null;
  winner: Side | null;
}
/**
 * Full state of a game as one viewer sees it.
 */
export interface GameFull {
  abortable: boolean;
  black: PlayerOut;
  board: {};
  chat: ChatMessageOut[];
  clock: ClockOut | null;
  clocks: ClocksOut | null;
  createdAt: number;
  crowd: number;
  /**
   * Names of the spectators; null if there are too many.
   */
  crowdNames: string[] | null;
  daysPerTurn: number | null;
  draw: Side | null;
  /**
   * Deadline of the next move by correspondence, in epoch milliseconds.
   */
  dueBy: number | null;
  end: EndOut | null;
  first: PlayerOut;
  /**
   * Absent players.
   */
  gone: AbsenceOut[];
  id: string;
  /**
   * Position text at the start.
   */
  initialFen: string;
  last: Trace | null;
  /**
   * Legal moves, for the side to move only.
   */
  legal?: string[];
  /**
   * Id of the rematch, if it has started since the room was opened.
   */
  next?: string;
  options: {};
  perf: PerfName;
  /**
   * Current position text.
   */
  position: string;
  rated: boolean;
  second: PlayerOut;
  shuffle: SeedCommitment | null;
  /**
   * Names of the first and the second side in this variant.
   */
  sides: string[];
  speed: string;
  /**
   * Deadline of the first move, in epoch milliseconds.
   */
  startBy: number | null;
  state: StateOut;
  takeback: Side | null;
  timeControl: TimeControlOut;
  turn: Side;
  type: string;
  /**
   * Number of the last event.
   */
  v: number;
  variant: VariantOut;
  white: PlayerOut;
  you: Side | null;
}
/**
 * State of a game in the lichess format.
 */
export interface StateOut {
  bdraw?: boolean;
  binc: number;
  btakeback?: boolean;
  btime: number;
  /**
   * Notations of all moves, separated by spaces.
   */
  moves: string;
  status: GameStatus;
  type: string;
  wdraw?: boolean;
  winc: number;
  winner?: string;
  wtakeback?: boolean;
  wtime: number;
}
/**
 * Position after a move or a takeback.
 */
export interface PositionUpdateOut {
  abortable: boolean;
  /**
   * Cells of the position text.
   */
  cells: string;
  clock: ClocksOut | null;
  /**
   * Deadline of the next move by correspondence, in epoch milliseconds.
   */
  dueBy?: number;
  /**
   * Rest of the position text.
   */
  extras: string;
  /**
   * Legal moves, only for the side to move.
   */
  legal?: string[];
  /**
   * Number of plies played.
   */
  ply: number;
  /**
   * Deadline of the first move, in epoch milliseconds.
   */
  startBy: number | null;
  turn: Side;
}
/**
 * Side with an open offer; null if the offer has ended.
 */
export interface OfferOut {
  by: Side | null;
}
/**
 * Page of the lobby as one viewer sees it.
 */
export interface LobbyOut {
  /**
   * Open challenges; page 1 also has all by or for the requester.
   */
  challenges: ChallengeOut[];
  /**
   * Games in play; only on the first page.
   */
  games: LiveOut[];
  /**
   * Number of the next page; null on the last.
   */
  nextPage: number | null;
  /**
   * Number of the page, from 1.
   */
  page: number;
  /**
   * Number of open challenges on all pages.
   */
  total: number;
  you: AccountOut | null;
}
/**
 * Ready check: the game that would begin, and its acceptor.
 */
export interface ReadyCheckOut {
  by: PlayerOut;
  challenge: ChallengeOut;
  options: {};
  /**
   * Deadline, in epoch milliseconds.
   */
  readyBy: number;
  timeControl: TimeControlOut;
  variant: VariantOut;
}
