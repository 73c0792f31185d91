// Types of the API and the WebSockets, written by message-types.test.mjs.

/**
 * Side of a game, by move order. Each variant has names of its own for both.
 */
export type Side = "first" | "second";
/**
 * Side by its order, by a color of the variant, or at random.
 */
export type SideChoice = "random" | "first" | "second" | "black" | "blue" | "red" | "white";
/**
 * Account as shown to its owner.
 */
export type AccountOut = UserOut & {
  /**
   * Whether the account is a moderator.
   */
  admin: boolean;
  /**
   * Number of games without a clock against people in which it is the account's turn.
   */
  turns: number;
};
/**
 * Title shown before a name.
 */
export type Title = "BOT";
/**
 * Chat room of a game.
 */
export type ChatRoom = "player" | "spectator";
/**
 * Value of an option, with its type in JSON.
 */
export type OptionValue = boolean | number | string;
/**
 * Eligibility of a group of players.
 */
export type Permission = "allow" | "deny";
/**
 * Color by which lichess names a side.
 */
export type LichessColor = "white" | "black";
/**
 * Origin of a game in the terms of lichess.
 */
export type GameSource = "ai" | "lobby";
/**
 * Speed class of a game, named as on lichess.
 */
export type Speed = "ultraBullet" | "bullet" | "blitz" | "rapid" | "classical" | "correspondence";
/**
 * Score of a position for the side to move.
 */
export type Score =
  | {
      /**
       * Unproven result, in points. 0 is even; 400 points win about ten games of eleven.
       */
      points: number;
    }
  | {
      /**
       * Proven win in the given number of plies.
       */
      win: number;
    }
  | {
      /**
       * Proven loss within the given number of plies.
       */
      loss: number;
    };
/**
 * Answer to a question.
 */
export type Answer = "yes" | "no";
/**
 * Group of players who may challenge an account by name.
 */
export type ChallengeAudience = "everyone" | "accounts" | "nearRating" | "followed" | "nobody";
/**
 * Reason for declining a challenge, with the keys and sentences of the lichess API.
 */
export type DeclineReason =
  | "generic"
  | "later"
  | "tooFast"
  | "tooSlow"
  | "timeControl"
  | "rated"
  | "casual"
  | "standard"
  | "variant"
  | "noBot"
  | "onlyBot";
/**
 * Reason for a report.
 */
export type ReportReason = "cheating" | "abuse" | "name" | "other";
/**
 * Player of one of the newest games.
 */
export type LastOpponent = PresenceOut & {
  /**
   * Whether the requester follows the player.
   */
  following: boolean;
  /**
   * Id of the newest game against the player.
   */
  lastGame: string;
  /**
   * Start of that game.
   */
  lastPlayedAt: number;
};
/**
 * Status of a game, with the names and numbers of the lichess API.
 */
export type GameStatus =
  "started" | "aborted" | "resign" | "timeout" | "draw" | "outoftime" | "noStart" | "variantEnd";
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
 * Outcome of an answer to a rematch: the challenge or the game, or the end of the offer.
 */
export type RematchOut = AcceptOut | Done;
/**
 * State of a request for a casual game in place of a rated one.
 */
export type CasualRequestState = "asked" | "granted" | "declined";
/**
 * Reason of a refusal.
 */
export type Reason =
  | "accountClosed"
  | "alreadyAsked"
  | "alreadyBanned"
  | "alreadyDeclined"
  | "alreadyPlaying"
  | "alreadyVoided"
  | "anonymous"
  | "badBody"
  | "badChoice"
  | "badCode"
  | "badColor"
  | "badEmail"
  | "badEmailLink"
  | "badExpiry"
  | "badField"
  | "badFrame"
  | "badLevel"
  | "badLink"
  | "badLogin"
  | "badMethod"
  | "badName"
  | "badOption"
  | "badPasskey"
  | "badPassword"
  | "badPath"
  | "badPosition"
  | "badRange"
  | "badRecoveryWord"
  | "badRequest"
  | "badResetLink"
  | "badTime"
  | "badToken"
  | "badVariant"
  | "banned"
  | "blocked"
  | "botsCasual"
  | "broken"
  | "busy"
  | "canceled"
  | "casualOnly"
  | "clockFull"
  | "commonPassword"
  | "contradiction"
  | "copiedPasskey"
  | "dailyLimit"
  | "declined"
  | "empty"
  | "enoughTakenBack"
  | "expired"
  | "expiredPasskey"
  | "exportUnderWay"
  | "foreignOrigin"
  | "full"
  | "hasAccount"
  | "hasChallenges"
  | "hasGames"
  | "illegal"
  | "knownPasskey"
  | "liveRatedGame"
  | "missingScope"
  | "muted"
  | "nameAlike"
  | "nameTaken"
  | "noBots"
  | "noChallenges"
  | "noClock"
  | "noDays"
  | "noEmail"
  | "noHint"
  | "noNewAccounts"
  | "noNewGuests"
  | "noOffer"
  | "noPasskeys"
  | "noRangeOwner"
  | "noRatingChange"
  | "notABot"
  | "notAdmin"
  | "notAcceptable"
  | "notAPlayer"
  | "notForYou"
  | "notFound"
  | "notGone"
  | "nothingToTakeBack"
  | "notOver"
  | "notRated"
  | "notReady"
  | "notStored"
  | "notYourTurn"
  | "offered"
  | "over"
  | "own"
  | "ownGame"
  | "ownRange"
  | "paired"
  | "passwordNeeded"
  | "protectedAccount"
  | "provisional"
  | "ratingTooFar"
  | "ratingTooHigh"
  | "ratingTooLow"
  | "replaced"
  | "replacesSession"
  | "secondFactorOn"
  | "secondFactorRequired"
  | "sessionOnly"
  | "slowMode"
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
  | "tooManyCasualRequests"
  | "tooManyConnections"
  | "tooManyGames"
  | "tooManyLines"
  | "tooManyOfAddress"
  | "tooManyOfGuest"
  | "tooManyReadyChecks"
  | "tooSoon"
  | "twoReplies"
  | "unconfirmedEmail"
  | "unknown"
  | "usedByModerator"
  | "yourTurn";
/**
 * Color that a challenge gives to its creator.
 */
export type ChallengeColor = "white" | "black" | "random";
/**
 * Direction of a challenge to one player or with two free seats, for its viewer.
 */
export type ChallengeDirection = "in" | "out";
/**
 * Kind of a challenge: its audience and lifetime.
 */
export type ChallengeKind = "list" | "direct" | "link" | "open" | "rematch" | "seek";
/**
 * State of a challenge, with the numbers of the lichess API.
 */
export type ChallengeStatus = "created" | "canceled" | "declined" | "accepted" | "expired";
/**
 * Game night in a list.
 */
export type ListedGameNightOut = GameNightOut & {
  /**
   * Whether the account of the requester is one of them.
   */
  interested: boolean;
  /**
   * Number of accounts that want to be notified of the start.
   */
  interestedCount: number;
};
/**
 * Reason why an attempt of a search led to no game.
 */
export type SearchMissCode = "taken" | "absent";
/**
 * Kind of an [`Ending`].
 */
export type EndingKind = "allHome" | "noLeap" | "noMove" | "noProgress" | "off" | "taken";
/**
 * Reason why a player gains less from a rated game than the two ratings alone give. Losses are
 * never limited.
 */
export type GainLimit = "shortGame" | "untestedOpponent" | "dailyGain";
/**
 * Reason for a draw.
 */
export type DrawReason = "agreement" | "repetition" | "noProgress" | "moveLimit" | "claim";
/**
 * Outcome that an offer of the player would have.
 */
export type RematchFitCode = "fits" | "outside" | "declined" | "unavailable";
/**
 * Type of a line in a stream of a game.
 */
export type GameLineType = "gameFull" | "gameState" | "chatLine" | "opponentGone";
/**
 * Finished game with its moves.
 */
export type ClassicGame = GameSummary & {
  /**
   * Notations of the moves.
   */
  moves: string[];
  /**
   * Text of the start position.
   */
  start: string;
};
/**
 * Player of a game in a list.
 */
export type RatedPlayer = PlayerOut & {
  /**
   * Rating change.
   */
  diff: number | null;
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
 * Result of a name search.
 */
export type Suggestions =
  | string[]
  | {
      /**
       * Players found.
       */
      result: Suggestion[];
    };
/**
 * Result of a game.
 */
export type QueryOutcome = "first" | "second" | "draw";
/**
 * Code of the rule that forbids a click or a move.
 */
export type BrokenRule =
  | "alongItself"
  | "allTargetsTaken"
  | "alreadyWon"
  | "attacked"
  | "behindNotFree"
  | "brokenLine"
  | "chainEnds"
  | "exactHoles"
  | "gameOver"
  | "gap"
  | "groupTooSmall"
  | "hemmedIn"
  | "inTheWay"
  | "landBehind"
  | "landingDouble"
  | "loneStone"
  | "mixedLine"
  | "moveComplete"
  | "mustMove"
  | "mustWipe"
  | "noJumpFrom"
  | "noPiece"
  | "noRoomAround"
  | "noSteps"
  | "noTileBehind"
  | "notALeap"
  | "notADouble"
  | "notHalfway"
  | "nothingToJump"
  | "notInLine"
  | "notOnTop"
  | "notWonYet"
  | "notYourPiece"
  | "occupied"
  | "offBoard"
  | "oneStoneOnly"
  | "onePerGroup"
  | "onlyOtherDots"
  | "otherDot"
  | "overHogga"
  | "ownKnight"
  | "penaltyFirst"
  | "penaltyOrder"
  | "placingPhase"
  | "sameCell"
  | "startRow"
  | "stepToEmpty"
  | "stepTooFar"
  | "surrounded"
  | "towerNotYours"
  | "tooNarrow"
  | "unfinished"
  | "upToHoles"
  | "usedNumber"
  | "wrongLength";
/**
 * Point of a rating history: epoch milliseconds, rating, deviation, id of the game.
 *
 * @minItems 4
 * @maxItems 4
 */
export type RatingPointOut = [number, number, number, string];
/**
 * Appeal against the closing of an account.
 */
export type AppealOut =
  | {
      state: "open";
    }
  | {
      /**
       * Time from which another one is possible, in epoch milliseconds.
       */
      again: number;
      state: "declined";
    };
/**
 * Line of an archive.
 */
export type ArchiveLine =
  | {
      data: AccountOut;
      type: "account";
    }
  | {
      data: SettingsOut;
      type: "settings";
    }
  | {
      data: SessionOut;
      type: "session";
    }
  | {
      data: TokenOut;
      type: "token";
    }
  | {
      data: FailedLoginsOut;
      type: "failedLogins";
    }
  | {
      data: OtherPlayerOut;
      type: "block";
    }
  | {
      data: OtherPlayerOut;
      type: "follow";
    }
  | {
      data: GameNoteOut;
      type: "note";
    }
  | {
      data: StoredConditionalMovesOut;
      type: "conditionalMoves";
    }
  | {
      data: TakenVacationOut;
      type: "vacation";
    }
  | {
      data: GameNightOut;
      type: "gameNight";
    }
  | {
      data: ReportedOut;
      type: "report";
    }
  | {
      data: WarningOut;
      type: "warning";
    }
  | {
      data: ModerationOut;
      type: "moderation";
    }
  | {
      data: RecordOut;
      type: "game";
    }
  | {
      data: OwnChatOut;
      type: "chat";
    };
/**
 * Result that a player claims.
 */
export type Claim = "win" | "draw";
/**
 * Action on a draw.
 */
export type DrawAnswer = "yes" | "offer" | "accept" | "no" | "claim";
/**
 * Kind of a second factor.
 */
export type SecondFactorKind = "totp" | "passkey";
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
 * Event of a game, on `/ws/game/{id}`.
 */
export type GameEventMessage =
  | {
      d: GameFull;
      t: "full";
    }
  | {
      d: MoveOut;
      t: "move";
    }
  | {
      d: ShortMoveOut;
      t: "shortMove";
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
         * Whether a moderator has deleted the text, which is empty then.
         */
        deleted?: boolean;
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
 * Line of a game's stream.
 */
export type GameLine = GameFull | StateOut | ChatLine | OpponentGone;
/**
 * Message about a game that is not an event of it, on `/ws/game/{id}`.
 */
export type GameStatusMessage =
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
    }
  | {
      d: RematchTermsOut;
      t: "rematchTerms";
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
      cause?: RematchCauseOut;
      status: ChallengeStatus;
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
 * Way in which a player has ended a rematch offer without an answer.
 */
export type RematchCause = "left" | "otherGame";
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
        status: ChallengeStatus;
      };
      t: "challengeGone";
    }
  | {
      /**
       * Creators of challenges have come or gone; see `creatorPresent`.
       */
      d: {
        /**
         * Ids of the challenges whose creator is away now.
         */
        away: string[];
        /**
         * Ids of the challenges whose creator is here now.
         */
        here: string[];
      };
      t: "presence";
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
 * Event of a game with its number.
 */
export type NumberedEvent = GameEventMessage & {
  /**
   * Number of the event, without gaps; in `full`, that of the last event.
   */
  v: number;
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
        answer: RematchAnswer;
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
 * Answer to the question of a rematch.
 */
export type RematchAnswer = "yes" | "no" | "widen" | "ask" | "casual";
/**
 * Reason of the end of a ready check.
 */
export type ReadyCheckEnd = ReadyCheckEndCode | Reason;
/**
 * Reason of the end of a ready check, but for refusals.
 */
export type ReadyCheckEndCode = "ready" | "declined" | "late" | "withdrawn";
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
        rule?: BrokenRule;
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
         * Open challenges to the user, and own ones with requests for a casual game.
         */
        challenges: ChallengeOut[];
        /**
         * Game nights that run or come and in which the user is interested.
         */
        events?: GameNightOut[];
        /**
         * Ready checks that the user has to answer.
         */
        rings: ReadyCheckOut[];
        /**
         * Number of games without a clock against people in which the user is to move.
         */
        turns: number;
        /**
         * Number of warnings of moderators that the user has not confirmed as read.
         */
        warnings?: number;
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
        direction?: ChallengeDirection;
        /**
         * Id of the challenge.
         */
        id: string;
        reasonKey: DeclineReason | null;
        status: ChallengeStatus;
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
        reason: ReadyCheckEnd;
      };
      t: "ringGone";
    }
  | {
      /**
       * The search of the user for an opponent; null if there is none. Only on a connection that
       * shows it.
       */
      d: {
        search: SearchOut | null;
      };
      t: "find";
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
       * The number of games without a clock against people in which the user is to move has
       * changed.
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
 * Line of the event stream.
 */
export type StreamEvent =
  | {
      game: PlayerGameOut;
      type: "gameStart";
    }
  | {
      game: PlayerGameOut;
      type: "gameFinish";
    }
  | {
      challenge: ChallengeOut;
      compat: Compat;
      type: "challenge";
    }
  | {
      challenge: ChallengeOut;
      type: "challengeCanceled";
    }
  | {
      challenge: ChallengeOut;
      type: "challengeDeclined";
    };
/**
 * Line of a TV feed.
 */
export type TvEvent =
  | {
      /**
       * Another game is featured.
       */
      d: {
        /**
         * Position text.
         */
        fen: string;
        /**
         * Id of the game.
         */
        id: string;
        orientation: LichessColor;
        players: TvPlayer[];
        variant: VariantOut;
      };
      t: "featured";
    }
  | {
      d: GameStreamMove;
      t: "fen";
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
 * Choice among the offers of a challenge. Without it, the first suitable offer is taken.
 */
export interface AcceptForm {
  /**
   * Key of an offered time control.
   */
  clock?: string | null;
  color?: SideChoice | null;
  /**
   * Key of an offered variant.
   */
  variant?: string | null;
}
/**
 * Outcome of an acceptance.
 */
export interface AcceptOut {
  /**
   * Id of the game, or of the challenge if there is no game yet.
   */
  id: string;
  ok: boolean;
  /**
   * False while a ready check waits for the creator.
   */
  ready?: boolean | null;
  /**
   * End of the ready check, in epoch milliseconds.
   */
  readyBy?: number | null;
  /**
   * True if the other seat is still free, or if the guest has yet to begin the casual game.
   */
  waiting?: boolean | null;
}
/**
 * Player as shown to a client.
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
  /**
   * Whether the requester follows the player.
   */
  following?: boolean;
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
  /**
   * Time of the last visit, unless the player hides it.
   */
  seenAt?: number;
  title?: Title;
  url: string;
  username: string;
  /**
   * End of the player's vacation, in epoch milliseconds. Only in the profile.
   */
  vacationUntil?: number;
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
 * Message of a chat of a game.
 */
export interface AdminChatOut {
  at: number;
  /**
   * Whether a moderator has deleted the text, which is empty then.
   */
  deleted: boolean;
  name: string;
  /**
   * Sequence number in the log of the game.
   */
  number: number;
  /**
   * Number of plies played at that time.
   */
  ply: number;
  room: ChatRoom;
  text: string;
}
/**
 * Game against the computer.
 */
export interface AiForm {
  /**
   * Increment per move in seconds, 0 to 180; only with `clock.limit`.
   */
  "clock.increment"?: number | null;
  /**
   * Initial time in seconds, 0 to 10800. Without clock and days, time is unlimited.
   */
  "clock.limit"?: number | null;
  /**
   * One time control, such as `300+3`, in place of a clock and days.
   */
  clocks?: string | null;
  color?: SideChoice | null;
  /**
   * Days per move, in place of a clock.
   */
  days?: number | null;
  /**
   * Level of the computer, 1 to 8.
   */
  level: number;
  options?: OptionValues;
  provisional?: Permission | null;
  /**
   * Whether the game is rated. The operator may allow only casual games.
   */
  rated?: boolean | null;
  /**
   * Range of ratings of the computer; it declines if its rating is outside.
   */
  ratingRange?: string | null;
  /**
   * Key of the variant.
   */
  variant: string;
}
/**
 * Values of the options of a game, by key.
 */
export interface OptionValues {
  [k: string]: OptionValue;
}
/**
 * New game against the engine, in the lichess format.
 */
export interface AiGame {
  createdAt: number;
  /**
   * Position text.
   */
  fen: string;
  id: string;
  /**
   * Level of the engine, 1 to 8.
   */
  level: number;
  perf: PerfName;
  player: LichessColor;
  rated: boolean;
  source: GameSource;
  speed: Speed;
  status: AiGameStatusOut;
  /**
   * Number of plies played.
   */
  turns: number;
  url: string;
  variant: VariantOut;
  you: Side | null;
}
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
 * Game status with its number in the lichess API.
 */
export interface AiGameStatusOut {
  id: number;
  name: string;
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
 * Position to analyze, and the effort.
 */
export interface AnalysisForm {
  /**
   * Number of best lines, 1 to 5.
   */
  lines?: number;
  /**
   * Notations of the moves played from the start.
   */
  moves?: string[];
  /**
   * Number of positions to search, 1000 to 2000000.
   */
  nodes?: number;
  options?: OptionValues;
  /**
   * Seed of a random start position.
   */
  seed?: number;
  /**
   * Position text of the start; by default the start of the variant.
   */
  start?: string | null;
  /**
   * Key of the variant.
   */
  variant: string;
}
/**
 * Line of play with its score.
 */
export interface AnalysisLine {
  /**
   * Expected share of wins of the first side, from 0 to 1; draws count as halves.
   */
  chance: number;
  /**
   * Notations of the moves.
   */
  moves: string[];
  score: Score;
}
/**
 * Best lines of a position; none if the game is over.
 */
export interface AnalysisOut {
  /**
   * Completed depth in plies.
   */
  depth: number;
  /**
   * Lines, the best first.
   */
  lines: AnalysisLine[];
  /**
   * Number of positions searched, or of playouts.
   */
  nodes: number;
  /**
   * Position text.
   */
  position: string;
  turn: Side;
}
export interface ApiRequests {
  "POST /api/account/challenges": ChallengeSettingsForm;
  "POST /api/account/close": ConfirmForm;
  "POST /api/account/email": EmailForm;
  "POST /api/account/email/digest": DigestForm;
  "POST /api/account/email/remove": ConfirmForm;
  "POST /api/account/erase": ConfirmForm;
  "POST /api/account/passkeys": NewPasskeyForm;
  "POST /api/account/passkeys/confirm": PasskeyConfirmForm;
  "POST /api/account/passkeys/{id}/remove": FactorForm;
  "POST /api/account/password": PasswordForm;
  "POST /api/account/presence": PresenceForm;
  "POST /api/account/profile": ProfileForm;
  "POST /api/account/recovery": NewWordsForm;
  "POST /api/account/reminders": RemindersForm;
  "POST /api/account/totp": FactorForm;
  "POST /api/account/totp/confirm": TotpConfirmForm;
  "POST /api/account/totp/remove": FactorForm;
  "POST /api/account/vacation": VacationForm;
  "POST /api/admin/arrivals": ArrivalsForm;
  "POST /api/admin/bans/{number}/lift": LiftBanForm;
  "POST /api/admin/game/{id}/chat/{number}/delete": ModReasonForm;
  "POST /api/admin/game/{id}/void": ModReasonForm;
  "POST /api/admin/suspicions/{number}/dismiss": ModReasonForm;
  "POST /api/admin/user/{username}/ban": BanForm;
  "POST /api/admin/user/{username}/rename": RenameForm;
  "POST /api/admin/user/{username}/resolve": ModActionForm;
  "POST /api/admin/user/{username}/warn": WarnForm;
  "POST /api/admin/user/{username}/{action}": ModActionForm;
  "POST /api/analysis": AnalysisForm;
  "POST /api/appeal": AppealForm;
  "POST /api/board/game/{id}/chat": ChatForm;
  "POST /api/board/seek": SeekForm;
  "POST /api/bot/game/{id}/chat": ChatForm;
  "POST /api/challenge": ChallengeForm;
  "POST /api/challenge/ai": AiForm;
  "POST /api/challenge/open": ChallengeForm;
  "POST /api/challenge/{id}/accept": AcceptForm | null;
  "POST /api/challenge/{id}/casual": AcceptForm | null;
  "POST /api/challenge/{id}/casual/{username}": ReadyForm;
  "POST /api/challenge/{id}/decline": DeclineForm | null;
  "POST /api/challenge/{id}/ready": ReadyForm;
  "POST /api/challenge/{username}": ChallengeForm;
  "POST /api/come": LinkLoginForm;
  "POST /api/email/confirm": EmailTokenForm;
  "POST /api/email/unsubscribe": UnsubscribeEmailForm;
  "POST /api/find": ChallengeForm;
  "POST /api/forgot": ForgotForm;
  "POST /api/game/{id}/conditional": ConditionalForm;
  "POST /api/game/{id}/note": NoteForm;
  "POST /api/login": LoginForm;
  "POST /api/position": Query;
  "POST /api/push/kinds": PushKindsForm;
  "POST /api/push/subscribe": SubscribeForm;
  "POST /api/push/unsubscribe": UnsubscribeForm;
  "POST /api/recover": RecoverForm;
  "POST /api/register": Credentials;
  "POST /api/report": ReportForm;
  "POST /api/reset": ResetForm;
  "DELETE /api/token": TokenId | null;
  "POST /api/token": TokenForm;
}
/**
 * New settings. Fields that are missing keep their values.
 */
export interface ChallengeSettingsForm {
  audience?: ChallengeAudience | null;
  /**
   * Whether rated challenges are refused.
   */
  casualOnly?: boolean | null;
}
/**
 * Confirmation by password.
 */
export interface ConfirmForm {
  /**
   * The current password.
   */
  password?: string;
}
/**
 * New address, confirmed by the password.
 */
export interface EmailForm {
  /**
   * At most 254 bytes of ASCII.
   */
  address?: string;
  /**
   * The current password.
   */
  password?: string;
}
/**
 * Switch of the digests.
 */
export interface DigestForm {
  /**
   * `true` for a digest of the games that wait, at most once a day.
   */
  digest: boolean;
}
/**
 * Name of a new passkey, password and, if the account has a second factor, a code or an answer of
 * a passkey.
 */
export interface NewPasskeyForm {
  /**
   * Six digits of the authenticator app, or a recovery word, which is used up.
   */
  code?: string | null;
  /**
   * Name for the owner, 1 to 40 characters.
   */
  name?: string;
  /**
   * Answer of an earlier passkey, see `/api/login`.
   */
  passkey?: string | null;
  /**
   * The current password.
   */
  password?: string;
}
/**
 * Answer of the browser to the challenge of a registration.
 */
export interface PasskeyConfirmForm {
  /**
   * JSON text with `challenge`, the id, and `credential`, the `toJSON()` of the credential.
   */
  passkey?: string;
}
/**
 * Password and, if the account has a second factor, a code or the answer of a passkey.
 */
export interface FactorForm {
  /**
   * Six digits of the authenticator app, or a recovery word, which is used up.
   */
  code?: string | null;
  /**
   * Answer of a passkey, see `/api/login`.
   */
  passkey?: string | null;
  /**
   * The current password.
   */
  password?: string;
}
/**
 * Current and new password.
 */
export interface PasswordForm {
  /**
   * `true` keeps the API tokens, which end otherwise.
   */
  keepTokens?: boolean | null;
  /**
   * 8 to 256 characters.
   */
  new?: string;
  /**
   * The current password.
   */
  old?: string;
}
/**
 * Visibility to be set.
 */
export interface PresenceForm {
  /**
   * Whether others see when the account is online, and when it was last seen.
   */
  shown: boolean;
}
/**
 * Public profile of an account.
 */
export interface ProfileForm {
  /**
   * At most 400 characters in 5 lines.
   */
  bio?: string | null;
  /**
   * At most 40 characters.
   */
  location?: string | null;
}
/**
 * Password and, if the account has a second factor, a code or the answer of a passkey.
 */
export interface NewWordsForm {
  /**
   * Six digits of the authenticator app, or an earlier recovery word. Required
   * (`secondFactorRequired`) without `passkey` if the account has a second factor, which the
   * words can replace.
   */
  code?: string | null;
  /**
   * Answer of a passkey, see `/api/login`.
   */
  passkey?: string | null;
  /**
   * The current password.
   */
  password?: string;
}
/**
 * New settings. Fields that are missing keep their values.
 */
export interface RemindersForm {
  /**
   * Whether reminders are sent by e-mail. Requires a confirmed address.
   */
  email?: boolean | null;
  /**
   * Hours of 48, 24, 12, 6, 3 and 1, separated by commas, or `none`.
   */
  times?: string | null;
}
/**
 * First code of an authenticator app.
 */
export interface TotpConfirmForm {
  /**
   * Six digits.
   */
  code?: string;
}
/**
 * Vacation to take.
 */
export interface VacationForm {
  /**
   * Days from now or, on vacation, after its end: 1 to the days that are left.
   */
  days: number;
}
/**
 * Newcomers to be stopped or allowed.
 */
export interface ArrivalsForm {
  /**
   * Whether visitors and guests can create accounts. Without it, this does not change.
   */
  accounts?: boolean | null;
  /**
   * Whether visitors can play as guests. Without it, this does not change.
   */
  guests?: boolean | null;
  /**
   * Why, for other moderators: 1 to 500 characters.
   */
  reason?: string;
  /**
   * Whether slow mode is on. Without it, this does not change.
   */
  slow?: boolean | null;
}
/**
 * End of a ban.
 */
export interface LiftBanForm {
  /**
   * Why, for other moderators: 1 to 500 characters.
   */
  reason?: string;
}
/**
 * Reason of a moderator action.
 */
export interface ModReasonForm {
  /**
   * Why, for other moderators: 1 to 500 characters.
   */
  reason?: string;
}
/**
 * Ban of an address or a device of an account.
 */
export interface BanForm {
  /**
   * Address of a session of the account, which is banned.
   */
  address?: string | null;
  /**
   * Number of days, 1 to 365. Without it, the ban has no end.
   */
  days?: number | null;
  /**
   * Device of a session of the account, which is banned in place of an address.
   */
  device?: string | null;
  /**
   * Why, for other moderators: 1 to 500 characters.
   */
  reason?: string;
}
/**
 * New name of an account.
 */
export interface RenameForm {
  /**
   * New name. Without it, the name is `player-` with digits.
   */
  name?: string | null;
  /**
   * Why, for other moderators: 1 to 500 characters.
   */
  reason?: string;
}
/**
 * Reason and time of a moderator action.
 */
export interface ModActionForm {
  /**
   * For `mute` and `close`: number of days, 1 to 365. Without it, the action has no end. Guests
   * are closed without an end.
   */
  days?: number | null;
  /**
   * Required by `resolve`: number of the last report that is resolved.
   */
  last?: number | null;
  /**
   * Why, for other moderators: 1 to 500 characters.
   */
  reason?: string;
}
/**
 * Warning of an account.
 */
export interface WarnForm {
  /**
   * Why, for other moderators: 1 to 500 characters.
   */
  reason?: string;
  /**
   * Text for the player: 1 to 500 characters.
   */
  text?: string;
}
/**
 * Message of a player whose account a moderator has closed.
 */
export interface AppealForm {
  password?: string;
  /**
   * 1 to 1000 characters.
   */
  text?: string;
  username?: string;
}
/**
 * Chat message.
 */
export interface ChatForm {
  room?: ChatRoom | null;
  /**
   * At most 300 characters.
   */
  text?: string;
}
/**
 * Terms of a seek, as in the lichess API.
 */
export interface SeekForm {
  bots?: Permission | null;
  /**
   * Several time controls, such as `300+3,180+0`, in place of one.
   */
  clocks?: string | null;
  color?: SideChoice | null;
  /**
   * Days per move, in place of a clock.
   */
  days?: number | null;
  /**
   * Increment per move in seconds; only with `time`.
   */
  increment?: number | null;
  options?: OptionValues;
  /**
   * Whether the game is rated.
   */
  rated?: boolean | null;
  /**
   * Range of ratings that may accept.
   */
  ratingRange?: string | null;
  /**
   * Initial time in minutes.
   */
  time?: number | null;
  /**
   * Key of the variant.
   */
  variant?: string | null;
  /**
   * Keys of several variants, separated by commas. A game may begin in any variant that both
   * seeks have.
   */
  variants?: string | null;
}
/**
 * Terms of a challenge. Fields that an endpoint does not use are ignored. Fields that contradict
 * each other are refused (`contradiction`).
 */
export interface ChallengeForm {
  bots?: Permission | null;
  /**
   * Whether a search for a rated game also accepts challenges of casual games; only in a search.
   */
  casual?: boolean | null;
  /**
   * Increment per move in seconds, 0 to 180; only with `clock.limit`.
   */
  "clock.increment"?: number | null;
  /**
   * Initial time in seconds, 0 to 10800.
   */
  "clock.limit"?: number | null;
  /**
   * Several time controls, such as `300+3,3d,unlimited`, in place of a clock and days; the
   * acceptor picks one.
   */
  clocks?: string | null;
  color?: SideChoice | null;
  /**
   * Days per move: 1, 2, 3, 5, 7, 10 or 14, in place of a clock.
   */
  days?: number | null;
  /**
   * Time at which the challenge expires, in epoch milliseconds; within 30 days. By default
   * after 7 days if the challenge has a link only, otherwise after an hour with a clock, after
   * 14 days without.
   */
  expiresAt?: number | null;
  /**
   * Whether the challenge is listed in the lobby. Otherwise it is open only to those with its
   * link.
   */
  listed?: boolean | null;
  options?: OptionValues;
  provisional?: Permission | null;
  /**
   * Whether the game is rated. Rated games require accounts and a time limit.
   */
  rated?: boolean | null;
  /**
   * Range of ratings that may accept: `1500-1800`, `1500-`, `-1800`, or `-100..+200` relative to
   * the creator's rating.
   */
  ratingRange?: string | null;
  /**
   * Whether several players may accept; only for correspondence.
   */
  standing?: boolean | null;
  /**
   * Key of the variant.
   */
  variant?: string | null;
  /**
   * Keys of several variants, separated by commas, in place of `variant`; the acceptor picks
   * one.
   */
  variants?: string | null;
}
/**
 * Answer to a ready check.
 */
export interface ReadyForm {
  answer: Answer;
}
/**
 * Reason for which a challenge is declined.
 */
export interface DeclineForm {
  reason?: DeclineReason | null;
}
/**
 * Token of a login link.
 */
export interface LinkLoginForm {
  /**
   * `true` replaces the session of another account. Without it the request is refused
   * (`replacesSession`) if another account is signed in.
   */
  replace?: boolean | null;
  /**
   * The token, which is the fragment of the link.
   */
  token?: string;
}
/**
 * Token of a message.
 */
export interface EmailTokenForm {
  /**
   * The token of the link.
   */
  token?: string;
}
/**
 * Token of a message that the account wants no more.
 */
export interface UnsubscribeEmailForm {
  /**
   * `true` ends reminders before deadlines, otherwise digests end.
   */
  reminders?: boolean;
  /**
   * The token of the link. Required.
   */
  token?: string;
}
/**
 * Name or address of an account.
 */
export interface ForgotForm {
  /**
   * Username or confirmed e-mail address.
   */
  user?: string;
}
/**
 * New conditional moves.
 */
export interface ConditionalForm {
  /**
   * At most 20 lines of at most 20 moves, each as notations with spaces in between, and with the
   * opponent's move first. Required; without lines, the conditional moves are removed.
   */
  lines: string[];
  /**
   * Number of plies played when the lines were made. Required.
   */
  ply: number;
}
/**
 * New note.
 */
export interface NoteForm {
  /**
   * 1 to 2000 characters. Required.
   */
  text?: string;
}
/**
 * Username, password and, if the account has a second factor, a code or the answer of a passkey.
 */
export interface LoginForm {
  /**
   * Six digits of the authenticator app, or a recovery word, which is used up. Without it and
   * `passkey`, the login to an account with a second factor is refused (`secondFactorRequired`).
   */
  code?: string | null;
  /**
   * Answer of a passkey: JSON text with `challenge`, the id in the refusal, and `credential`,
   * the `toJSON()` of what `navigator.credentials.get` returns for the options there.
   */
  passkey?: string | null;
  password?: string;
  username?: string;
}
/**
 * Query for the position and legal moves after given moves.
 */
export interface Query {
  /**
   * Cells clicked so far for the next move. The answer then has a preview or a refusal in place
   * of the legal moves.
   */
  clicks?: string[] | null;
  /**
   * Notations of the moves played.
   */
  moves?: string[];
  options?: OptionValues;
  /**
   * Whether to include every ply in the answer.
   */
  replay?: boolean;
  /**
   * Seed of a random start.
   */
  seed?: number;
  /**
   * Text of the start position; by default the variant's own start.
   */
  start?: string | null;
  /**
   * Key of the variant.
   */
  variant: string;
}
/**
 * New kinds of push messages.
 */
export interface PushKindsForm {
  /**
   * A player challenges the account by name.
   */
  challenge: boolean;
  /**
   * The deadline of a move is near; without it, unchanged.
   */
  deadline?: boolean | null;
  /**
   * A game night begins in which the account is interested; without it, unchanged.
   */
  eventStart?: boolean | null;
  /**
   * A challenge of the account was accepted.
   */
  gameStart: boolean;
  /**
   * The opponent has moved in a game without a clock.
   */
  myTurn: boolean;
}
/**
 * Subscription of a browser (`PushSubscription`).
 */
export interface SubscribeForm {
  /**
   * Secret of the browser, in base64url.
   */
  auth?: string;
  /**
   * URL at the push service of the browser.
   */
  endpoint?: string;
  /**
   * Language of the messages: `en`, `nl` or `sv`; by default that of the pages.
   */
  language?: string | null;
  /**
   * Public key of the browser, in base64url.
   */
  p256dh?: string;
}
/**
 * Subscription to be removed.
 */
export interface UnsubscribeForm {
  /**
   * Endpoint of the subscription.
   */
  endpoint?: string;
}
/**
 * Name, recovery word, new password and, if the account has a second factor, a code or the answer
 * of a passkey.
 */
export interface RecoverForm {
  /**
   * Six digits of the authenticator app. Without it and `passkey`, the request is refused
   * (`secondFactorRequired`) if the account has a second factor, and the word stays valid.
   */
  code?: string | null;
  /**
   * Answer of a passkey, see `/api/login`.
   */
  passkey?: string | null;
  /**
   * New password: 8 to 256 characters.
   */
  password?: string;
  username?: string;
  /**
   * One of the recovery words of the account. Case, spaces and hyphens do not matter.
   */
  word?: string;
}
/**
 * Username and password.
 */
export interface Credentials {
  /**
   * 8 to 256 characters.
   */
  password?: string;
  /**
   * 2 to 20 letters, digits, hyphens and underscores; the first is a letter.
   */
  username?: string;
}
/**
 * Report of a player to the moderators.
 */
export interface ReportForm {
  /**
   * Id of the game concerned.
   */
  game?: string | null;
  reason: ReportReason;
  /**
   * Description of at most 1000 characters.
   */
  text?: string | null;
  /**
   * Name of the reported player.
   */
  username?: string;
}
/**
 * Token of a reset link, new password and, if the account has a second factor, a code or the
 * answer of a passkey.
 */
export interface ResetForm {
  /**
   * Six digits of the authenticator app, or a recovery word. Without it and `passkey`, the
   * request is refused (`secondFactorRequired`) if the account has a second factor, and the link
   * stays valid.
   */
  code?: string | null;
  /**
   * Answer of a passkey, see `/api/login`.
   */
  passkey?: string | null;
  /**
   * New password: 8 to 256 characters.
   */
  password?: string;
  /**
   * The token, which is the fragment of the link.
   */
  token?: string;
}
/**
 * Token to revoke.
 */
export interface TokenId {
  /**
   * Id of the token; absent if a program revokes its own token.
   */
  id?: string | null;
}
/**
 * Request for a new token.
 */
export interface TokenForm {
  /**
   * Number of days for which the token is valid, 1 to 730; 365 by default.
   */
  days?: number | null;
  /**
   * Description for the owner, at most 100 characters.
   */
  description?: string | null;
  /**
   * The current password. Needed if the session was opened more than 15 minutes ago.
   */
  password?: string | null;
  /**
   * Scopes, separated by commas: `board:play`, `bot:play`, `challenge:read`, `challenge:write`,
   * `follow:read`, `follow:write`.
   */
  scopes?: string | null;
}
export interface ApiResponses {
  "GET /api/account": AccountOut;
  "GET /api/account/challenges": ChallengeSettings;
  "POST /api/account/challenges": ChallengeSettings;
  "POST /api/account/close": Done;
  "GET /api/account/email": EmailOut;
  "POST /api/account/email": Done;
  "POST /api/account/email/digest": Done;
  "POST /api/account/email/remove": Done;
  "POST /api/account/erase": Done;
  "GET /api/account/levels": {
    [k: string]: number[];
  };
  "POST /api/account/link": LinkOut;
  "POST /api/account/logout-everywhere": Done;
  "POST /api/account/passkeys": PasskeyRequest;
  "POST /api/account/passkeys/confirm": SecondFactorOut;
  "POST /api/account/passkeys/{id}/remove": Done;
  "POST /api/account/password": Done;
  "GET /api/account/people": PeopleOut;
  "GET /api/account/playing": NowPlaying;
  "GET /api/account/presence": PresenceSettings;
  "POST /api/account/presence": PresenceSettings;
  "POST /api/account/profile": Done;
  "GET /api/account/recovery": RecoveryOut;
  "POST /api/account/recovery": NewRecoveryWords;
  "GET /api/account/reminders": RemindersOut;
  "POST /api/account/reminders": RemindersOut;
  "GET /api/account/second-factor": SecondFactorOut;
  "GET /api/account/sessions": Sessions;
  "DELETE /api/account/sessions/{id}": Done;
  "POST /api/account/totp": NewTotp;
  "POST /api/account/totp/confirm": SecondFactorOut;
  "POST /api/account/totp/remove": Done;
  "GET /api/account/vacation": VacationOut;
  "POST /api/account/vacation": VacationOut;
  "GET /api/account/warnings": UnreadWarningOut[];
  "POST /api/account/warnings/{number}/read": Done;
  "GET /api/admin/appeals": ClosingAppealOut[];
  "GET /api/admin/arrivals": ArrivalsOut;
  "POST /api/admin/arrivals": ArrivalsOut;
  "GET /api/admin/bans": BanOut[];
  "POST /api/admin/bans/{number}/lift": BanOut[];
  "GET /api/admin/game/{id}/chat": AdminChatOut[];
  "POST /api/admin/game/{id}/chat/{number}/delete": Done;
  "POST /api/admin/game/{id}/void": Done;
  "GET /api/admin/log": ModLogOut[];
  "GET /api/admin/reports": ReportQueueOut;
  "GET /api/admin/suspicions": SuspicionOut[];
  "POST /api/admin/suspicions/{number}/dismiss": Done;
  "GET /api/admin/user/{username}": ModeratedUserOut;
  "POST /api/admin/user/{username}/ban": ModeratedUserOut;
  "POST /api/admin/user/{username}/rename": ModeratedUserOut;
  "POST /api/admin/user/{username}/resolve": ModeratedUserOut;
  "POST /api/admin/user/{username}/warn": ModeratedUserOut;
  "POST /api/admin/user/{username}/{action}": ModeratedUserOut;
  "POST /api/analysis": AnalysisOut;
  "POST /api/appeal": Done;
  "POST /api/board/game/{id}/abort": Done;
  "GET /api/board/game/{id}/chat": ChatOut[];
  "POST /api/board/game/{id}/chat": Done;
  "POST /api/board/game/{id}/claim-draw": Done;
  "POST /api/board/game/{id}/claim-victory": Done;
  "POST /api/board/game/{id}/draw/{answer}": Done;
  "POST /api/board/game/{id}/move/{u}": Done;
  "POST /api/board/game/{id}/rematch/{answer}": RematchOut;
  "POST /api/board/game/{id}/resign": Done;
  "POST /api/board/game/{id}/takeback/{answer}": Done;
  "POST /api/board/seek": SeekOut;
  "POST /api/bot/account/upgrade": Done;
  "POST /api/bot/game/{id}/abort": Done;
  "GET /api/bot/game/{id}/chat": ChatOut[];
  "POST /api/bot/game/{id}/chat": Done;
  "POST /api/bot/game/{id}/claim-draw": Done;
  "POST /api/bot/game/{id}/claim-victory": Done;
  "POST /api/bot/game/{id}/draw/{answer}": Done;
  "POST /api/bot/game/{id}/move/{u}": Done;
  "POST /api/bot/game/{id}/rematch/{answer}": RematchOut;
  "POST /api/bot/game/{id}/resign": Done;
  "POST /api/bot/game/{id}/takeback/{answer}": Done;
  "GET /api/challenge": Challenges;
  "POST /api/challenge": ChallengeOut;
  "POST /api/challenge/ai": AiGame;
  "POST /api/challenge/open": ChallengeOut;
  "POST /api/challenge/{id}/accept": AcceptOut;
  "POST /api/challenge/{id}/cancel": Done;
  "POST /api/challenge/{id}/casual": ChallengeOut;
  "POST /api/challenge/{id}/casual/{username}": AcceptOut;
  "POST /api/challenge/{id}/decline": Done;
  "POST /api/challenge/{id}/ready": AcceptOut;
  "GET /api/challenge/{id}/show": ChallengeOut;
  "POST /api/challenge/{username}": ChallengeOut;
  "POST /api/come": AccountOut;
  "GET /api/crosstable/{one}/{two}": Crosstable;
  "POST /api/email/confirm": ConfirmedEmailOut;
  "POST /api/email/unsubscribe": Done;
  "GET /api/event": ListedGameNightOut[];
  "DELETE /api/event/{id}/interest": Done;
  "POST /api/event/{id}/interest": Done;
  "POST /api/find": SearchOut;
  "POST /api/find/cancel": Done;
  "POST /api/forgot": Done;
  "GET /api/game/{id}": GameFull;
  "GET /api/game/{id}/conditional": ConditionalOut;
  "POST /api/game/{id}/conditional": ConditionalOut;
  "POST /api/game/{id}/hint": HintOut;
  "DELETE /api/game/{id}/note": Done;
  "GET /api/game/{id}/note": NoteOut;
  "POST /api/game/{id}/note": NoteOut;
  "GET /api/games/classic": ClassicOut;
  "GET /api/games/hours": UsualHours;
  "GET /api/games/live": LiveGames;
  "POST /api/guest": AccountOut;
  "GET /api/lobby": LobbyOut;
  "POST /api/login": SignedInAccount;
  "POST /api/logout": Done;
  "GET /api/player": {
    [k: string]: LeaderboardEntry[];
  };
  "GET /api/player/autocomplete": Suggestions;
  "GET /api/player/top/{n}/{variant}": Leaderboard;
  "POST /api/position": QueryAnswer;
  "GET /api/push": PushOut;
  "POST /api/push/kinds": Done;
  "POST /api/push/subscribe": Done;
  "POST /api/push/unsubscribe": Done;
  "GET /api/recover": RecoveryWays;
  "POST /api/recover": RecoveredAccount;
  "POST /api/register": SignedInAccount;
  "POST /api/rel/block/{username}": Done;
  "GET /api/rel/blocking": BlockedPlayers;
  "POST /api/rel/follow/{username}": Done;
  "POST /api/rel/unblock/{username}": Done;
  "POST /api/rel/unfollow/{username}": Done;
  "GET /api/report": ReportOut[];
  "POST /api/report": Done;
  "POST /api/reset": RecoveredAccount;
  "POST /api/round/{id}/add-time/{seconds}": Done;
  "DELETE /api/token": Done;
  "GET /api/token": Tokens;
  "POST /api/token": TokenOut;
  "POST /api/token/test": {
    [k: string]: unknown;
  };
  "GET /api/tv/channels": {
    [k: string]: TvChannelOut;
  };
  "GET /api/user/{username}": UserOut;
  "GET /api/user/{username}/games": GamesPage;
  "GET /api/user/{username}/rating-history": RatingHistoryOut[];
  "GET /api/user/{username}/ratings": {
    [k: string]: RatingPointOut[];
  };
  "POST /api/users": UserOut[];
  "GET /api/users/online": OnlineOut;
  "GET /api/users/status": PresenceOut[];
  "GET /api/variants": VariantDescription[];
  "GET /game/export/{id}": RecordOut;
}
/**
 * Challenges by name that an account accepts.
 */
export interface ChallengeSettings {
  audience: ChallengeAudience;
  /**
   * Whether rated challenges are refused.
   */
  casualOnly: boolean;
}
/**
 * Confirmation of a request.
 */
export interface Done {
  ok: boolean;
}
/**
 * E-mail settings of the account.
 */
export interface EmailOut {
  /**
   * Confirmed address.
   */
  address: string | null;
  /**
   * Whether the account gets a digest of the games that wait, at most once a day.
   */
  digest: boolean;
  /**
   * Whether the server sends e-mail.
   */
  enabled: boolean;
  /**
   * Address that waits for its confirmation.
   */
  pending: string | null;
  /**
   * Whether the account gets reminders before deadlines.
   */
  reminders: boolean;
}
/**
 * A login link.
 */
export interface LinkOut {
  url: string;
}
/**
 * Challenge for a passkey. It can be answered once, within five minutes.
 */
export interface PasskeyRequest {
  /**
   * Id of the challenge, which the answer repeats.
   */
  challenge: string;
  /**
   * `PublicKeyCredentialCreationOptionsJSON` of a registration, else
   * `PublicKeyCredentialRequestOptionsJSON`.
   */
  options: {};
}
/**
 * Second factors of an account.
 */
export interface SecondFactorOut {
  /**
   * Whether passkeys work at this address: they need a domain, and HTTPS or `localhost`.
   */
  canUsePasskeys: boolean;
  /**
   * Passkeys, one of which can replace the code.
   */
  passkeys: PasskeyOut[];
  /**
   * Time since which logins need a code of the authenticator app, in epoch milliseconds; `null`
   * if they need none.
   */
  totpSince?: number | null;
}
/**
 * Passkey of an account.
 */
export interface PasskeyOut {
  createdAt: number;
  id: string;
  /**
   * Name by the owner.
   */
  name: string;
  /**
   * Time of the last use; `null` if it was never used.
   */
  usedAt: number | null;
}
/**
 * Players whom the requester knows.
 */
export interface PeopleOut {
  /**
   * Players whom the requester follows, by name.
   */
  following: PresenceOut[];
  /**
   * Players of the requester's newest games, the last opponent first.
   */
  opponents: LastOpponent[];
}
/**
 * Presence of a player.
 */
export interface PresenceOut {
  /**
   * Id of the account.
   */
  id: string;
  /**
   * Name of the account.
   */
  name: string;
  /**
   * Whether the account is connected.
   */
  online: boolean;
  /**
   * Whether it is in a game.
   */
  playing: boolean;
  /**
   * Id of its game.
   */
  playingId?: string;
  title?: Title;
}
/**
 * Games in progress of the requester.
 */
export interface NowPlaying {
  /**
   * Games against people in which it is the requester's turn, including games that are not in
   * the list.
   */
  nbMyTurn: number;
  nowPlaying: PlayerGameOut[];
}
/**
 * Game as one of its players sees it.
 */
export interface PlayerGameOut {
  color: LichessColor;
  compat: Compat;
  /**
   * Current position text.
   */
  fen: string;
  fullId: string;
  gameId: string;
  hasMoved: boolean;
  id: string;
  isMyTurn: boolean;
  lastMove: string;
  opponent: Opponent;
  perf: string;
  rated: boolean;
  /**
   * Rating of the player at the start of the game.
   */
  rating: number;
  /**
   * Rating change, once a rated game is over.
   */
  ratingDiff?: number;
  /**
   * Seconds left to the player; null without a time limit.
   */
  secondsLeft: number | null;
  side: Side;
  source: GameSource;
  speed: Speed;
  status: StatusOut;
  timeControl: TimeControlOut;
  variant: VariantOut;
  winner?: LichessColor;
}
/**
 * Availability of a game or challenge in the bot API and the board API.
 */
export interface Compat {
  board: boolean;
  bot: boolean;
}
/**
 * Opponent in the lichess format.
 */
export interface Opponent {
  /**
   * Level of an engine account, 1 to 8.
   */
  ai?: number;
  id: string;
  rating: number;
  /**
   * Rating change, once a rated game is over.
   */
  ratingDiff?: number;
  title?: Title;
  username: string;
}
/**
 * Game status with its number in the lichess API.
 */
export interface StatusOut {
  id: number;
  name: GameStatus;
}
/**
 * Visibility of the account's presence.
 */
export interface PresenceSettings {
  /**
   * Whether others see when the account is online, and when it was last seen.
   */
  shown: boolean;
}
/**
 * The unused recovery words of an account, without the words themselves.
 */
export interface RecoveryOut {
  /**
   * Time at which the words were created, in epoch milliseconds; `null` without words.
   */
  createdAt?: number | null;
  /**
   * Number of unused words.
   */
  wordsLeft: number;
}
/**
 * New recovery words.
 */
export interface NewRecoveryWords {
  /**
   * Ten words. The server does not store them and cannot show them again.
   */
  words: string[];
}
/**
 * Reminders before the deadline of a move in a game without a clock.
 */
export interface RemindersOut {
  /**
   * Whether reminders are sent by e-mail, if the account has a confirmed address.
   */
  email: boolean;
  /**
   * Whether the server sends reminders at all.
   */
  enabled: boolean;
  /**
   * Hours before the deadline, the earliest reminder first. The kind `deadline` of push messages
   * and `email` switch the channels.
   */
  times: number[];
}
/**
 * The sessions of the account.
 */
export interface Sessions {
  sessions: SessionOut[];
}
/**
 * A session of the account.
 */
export interface SessionOut {
  /**
   * The `User-Agent` of the browser, shortened to 200 characters.
   */
  agent: string;
  createdAt: number;
  /**
   * Whether this is the session of the request.
   */
  current: boolean;
  /**
   * Hash of the id of the browser, which sessions of the same browser share. Absent some time
   * after the last use.
   */
  device?: string;
  id: string;
  /**
   * Network of the last use: an IPv4 address, or the /64 of an IPv6 address. Empty some time
   * after it.
   */
  network: string;
  seenAt: number;
}
/**
 * Secret of an authenticator app, which is not in use yet.
 */
export interface NewTotp {
  /**
   * QR code of the address, as an SVG document.
   */
  qr: string;
  /**
   * Secret in base32, for typing.
   */
  secret: string;
  /**
   * Address that apps read, with the secret.
   */
  uri: string;
}
/**
 * Vacation of the account.
 */
export interface VacationOut {
  /**
   * Days that are left in the year in which the next vacation would begin.
   */
  daysLeft: number;
  /**
   * Days of vacation in a year.
   */
  daysPerYear: number;
  /**
   * End of the current vacation, in epoch milliseconds; `null` if there is none.
   */
  until: number | null;
  /**
   * That year.
   */
  year: number;
}
/**
 * Unread warning.
 */
export interface UnreadWarningOut {
  at: number;
  /**
   * `message`, or `renamed`: a moderator has changed the name of the account.
   */
  kind: string;
  number: number;
  /**
   * Text of the moderator; for `renamed`, the new name.
   */
  text: string;
}
/**
 * Appeal against the closing of an account.
 */
export interface ClosingAppealOut {
  at: number;
  /**
   * Time at which a moderator has declined it.
   */
  declinedAt?: number;
  /**
   * Id and name of the player.
   */
  id: string;
  name: string;
  text: string;
}
/**
 * Kinds of newcomers that are allowed.
 */
export interface ArrivalsOut {
  /**
   * Whether visitors and guests can create accounts.
   */
  accounts: boolean;
  /**
   * Whether visitors can play as guests.
   */
  guests: boolean;
  /**
   * Whether slow mode is on: guests and accounts younger than a day can write one message in 15
   * seconds and create one challenge a minute.
   */
  slow: boolean;
}
/**
 * Ban of an address or a device.
 */
export interface BanOut {
  about?: string;
  /**
   * Id and name of the account whose address or device it is.
   */
  aboutId?: string;
  /**
   * Banned address; absent for a device.
   */
  address?: string;
  at: number;
  /**
   * Hash of the id of the banned device; absent for an address.
   */
  device?: string;
  /**
   * Name; empty for erased accounts.
   */
  moderator: string;
  number: number;
  reason: string;
  /**
   * End; without it, the ban is for good.
   */
  until?: number;
}
/**
 * Action of a moderator.
 */
export interface ModLogOut {
  about?: string;
  /**
   * Id and name of the account concerned, if there is one.
   */
  aboutId?: string;
  /**
   * Such as `mute`.
   */
  action: string;
  at: number;
  /**
   * Number of the ban.
   */
  ban?: number;
  /**
   * Id of the game that was voided, or of that of a chat line.
   */
  game?: string;
  /**
   * Name; `sprong` for ends of other actions, empty for erased accounts.
   */
  moderator: string;
  number: number;
  reason: string;
  /**
   * Number of the report that was resolved.
   */
  report?: number;
  /**
   * End of the action, if it is for a time.
   */
  until?: number;
}
/**
 * Page of players with open reports.
 */
export interface ReportQueueOut {
  /**
   * Whether there is another page.
   */
  hasMore: boolean;
  page: number;
  people: ReportedPersonOut[];
}
/**
 * Player with open reports.
 */
export interface ReportedPersonOut {
  closed: boolean;
  /**
   * Time of the first open report, in epoch milliseconds.
   */
  firstAt: number;
  guest: boolean;
  id: string;
  muted: boolean;
  name: string;
  /**
   * Number of different reporters.
   */
  reporters: number;
  /**
   * Number of open reports.
   */
  reports: number;
}
/**
 * Finding of a fair play report: a hint that people have to judge.
 */
export interface SuspicionOut {
  /**
   * Time of the report, in epoch milliseconds.
   */
  foundAt: number;
  /**
   * Number of games that were looked at.
   */
  gameCount: number;
  /**
   * Ids of some of the games.
   */
  games: string[];
  /**
   * Id and name of the player.
   */
  id: string;
  /**
   * `engineMoves`, `steadyTimes`, `fastTimes`, `fedPoints` or `sharedNetwork`.
   */
  kind: string;
  /**
   * Number of moves of the player that were looked at; 0 for pairs.
   */
  moveCount: number;
  name: string;
  number: number;
  other?: string;
  /**
   * Id and name of the other player of a pair.
   */
  otherId?: string;
  /**
   * Share of the engine's moves in percent, coefficient of variation of the times in percent,
   * median of the times in milliseconds, or gained rating points, by kind; 0 for
   * `sharedNetwork`.
   */
  value: number;
}
/**
 * Account as moderators see it.
 */
export interface ModeratedUserOut {
  /**
   * Networks of the last sessions, last used first.
   */
  addresses: SharedOriginOut[];
  appeal?: ClosingAppealOut;
  bio: string;
  bot: boolean;
  /**
   * Whether the page can change the account.
   */
  canChange: boolean;
  closedAt?: number;
  createdAt: number;
  /**
   * Devices of the last sessions.
   */
  devices: SharedOriginOut[];
  /**
   * Names that moderators have replaced in the last 30 days, newest first.
   */
  formerNames: string[];
  guest: boolean;
  id: string;
  location: string;
  /**
   * Actions of moderators, newest first.
   */
  log: ModLogOut[];
  muted: boolean;
  name: string;
  /**
   * End of the closing; without it, the account is closed for good.
   */
  reopensAt?: number;
  /**
   * Open reports first, then the newest.
   */
  reports: ReportAboutOut[];
  seenAt: number;
  /**
   * Open findings of the fair play reports, newest first.
   */
  suspicions: SuspicionOut[];
  /**
   * End of the mute; without it, the mute is for good.
   */
  unmutesAt?: number;
  /**
   * Warnings, newest first.
   */
  warnings: WarningOut[];
}
/**
 * Network or device of an account, with the accounts that share it.
 */
export interface SharedOriginOut {
  /**
   * At most 20 other accounts with sessions there.
   */
  accounts: SharingAccountOut[];
  ban?: BanOut;
  /**
   * Address, or hash of the id of the device.
   */
  id: string;
}
/**
 * Account with sessions of the same network or device.
 */
export interface SharingAccountOut {
  id: string;
  name: string;
}
/**
 * Report about a player.
 */
export interface ReportAboutOut {
  /**
   * Whether the reporter is a guest.
   */
  byGuest: boolean;
  createdAt: number;
  /**
   * Whether a moderator has resolved it.
   */
  done: boolean;
  game?: string;
  number: number;
  reason: string;
  reporter: string;
  text: string;
}
/**
 * Warning of a moderator.
 */
export interface WarningOut {
  at: number;
  /**
   * `message`, or `renamed`: a moderator has changed the name of the account.
   */
  kind: string;
  /**
   * Time at which the player has confirmed it.
   */
  readAt?: number;
  /**
   * Text for the player; for `renamed`, the new name.
   */
  text: string;
}
/**
 * Chat message in the lichess format.
 */
export interface ChatOut {
  text: string;
  user: string;
}
/**
 * Id of a seek or of its game.
 */
export interface SeekOut {
  id: string;
}
/**
 * Challenges of the requester.
 */
export interface Challenges {
  /**
   * Incoming challenges.
   */
  in: ChallengeOut[];
  /**
   * Outgoing challenges.
   */
  out: ChallengeOut[];
}
/**
 * Challenge as one viewer sees it.
 */
export interface ChallengeOut {
  /**
   * Whether its search also accepts casual games. Its acceptance begins a rated game.
   */
  alsoCasual?: boolean;
  bots: Permission;
  casualRequest?: CasualRequestState;
  /**
   * Requests for a casual game that the viewer has to answer.
   */
  casualRequests?: CasualRequestOut[];
  challenger: PlayerOut | null;
  challengerRange?: RangeOut;
  choices: Choices;
  color: ChallengeColor;
  createdAt: number;
  /**
   * Whether the challenger can begin a game with a clock at once; false if a block exists.
   */
  creatorPresent: boolean;
  declineReason?: string;
  declineReasonKey?: DeclineReason;
  destUser: PlayerOut | null;
  direction?: ChallengeDirection;
  eligible: boolean;
  expiresAt: number;
  finalColor: LichessColor | null;
  id: string;
  ineligibleReason?: Reason;
  kind: ChallengeKind;
  open?: OpenSeats;
  options: OptionValues;
  perf: PerfName;
  provisional: Permission;
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
  side?: Side;
  speed: Speed;
  standing: boolean;
  status: ChallengeStatus;
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
 * Request for a casual game in place of a rated one.
 */
export interface CasualRequestOut {
  by: PlayerOut;
  timeControl: TimeControlOut;
  variant: VariantOut;
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
  title?: Title;
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
  speed: Speed;
  timeControl: TimeControlOut;
}
/**
 * Variant offered by a challenge.
 */
export interface PlayChoice {
  eligible: boolean;
  ineligibleReason?: Reason;
  options: OptionValues;
  variant: VariantOut;
  yourProvisional?: boolean;
  yourRating?: number;
}
/**
 * Marker of a challenge with two free seats, in the lichess format; it restricts them to no users.
 */
export interface OpenSeats {}
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
 * Results of two players against each other.
 */
export interface Crosstable {
  nbGames: number;
  /**
   * Points by player id: 1 for a win, ½ for a draw.
   */
  users: {
    [k: string]: number;
  };
  /**
   * Points by variant and player id; `nb` is the number of games.
   */
  variants: {
    [k: string]: {
      [k: string]: number;
    };
  };
}
/**
 * Address that was confirmed.
 */
export interface ConfirmedEmailOut {
  address: string;
  username: string;
}
/**
 * Game night: a time at which people meet for one game.
 */
export interface GameNightOut {
  /**
   * Its end, in epoch milliseconds.
   */
  endsAt: number;
  id: number;
  /**
   * Start of the one that runs or comes next, in epoch milliseconds.
   */
  startsAt: number;
  variant: VariantOut;
  /**
   * Whether it is repeated every week.
   */
  weekly: boolean;
}
/**
 * Search for an opponent.
 */
export interface SearchOut {
  asking: SearchAskOut | null;
  /**
   * Whether the search also accepts challenges of casual games.
   */
  casual: boolean;
  clocks: ClockChoice[];
  here: SearchAskOut | null;
  /**
   * Id of the seek.
   */
  id: string;
  missed: SearchMissCode | null;
  rated: boolean;
  /**
   * Epoch milliseconds.
   */
  startedAt: number;
  variants: VariantOut[];
}
/**
 * Player of a challenge that a search tries.
 */
export interface SearchAskOut {
  name: string;
  /**
   * Deadline, in epoch milliseconds.
   */
  until: number;
}
/**
 * Full state of a game as one viewer sees it.
 */
export interface GameFull {
  abortable: boolean;
  black: PlayerOut;
  board: Board;
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
   * Sum of the excluded outages of the server, in milliseconds, if there were any.
   */
  lost?: number;
  /**
   * Id of the rematch, if it has started since the room was opened.
   */
  next?: string;
  options: OptionValues;
  perf: PerfName;
  /**
   * Current position text.
   */
  position: string;
  rated: boolean;
  rematch?: RematchTermsOut;
  second: PlayerOut;
  shuffle: SeedCommitment | null;
  /**
   * Names of the first and the second side in this variant.
   */
  sides: string[];
  speed: Speed;
  /**
   * Deadline of the first move, in epoch milliseconds.
   */
  startBy: number | null;
  state: StateOut;
  takeback: Side | null;
  timeControl: TimeControlOut;
  turn: Side;
  type: GameLineType;
  /**
   * Number of the last event.
   */
  v: number;
  /**
   * End of the vacation of the player to move, in epoch milliseconds. It may be over.
   */
  vacationUntil?: number;
  variant: VariantOut;
  white: PlayerOut;
  you: Side | null;
}
/**
 * Board of a variant: a rectangle of at most 26 columns and 99 rows. Cells can be missing or carry
 * a mark (holes, dots).
 */
export interface Board {
  /**
   * Number of columns, at most 26.
   */
  cols: number;
  /**
   * Marks of the cells, one string per row from the top, one byte per cell: `#` for a missing
   * cell, `.` for a cell without a mark. Empty if no cell is missing or marked.
   */
  marks?: string[];
  /**
   * Number of rows, at most 99.
   */
  rows: number;
}
/**
 * Chat message.
 */
export interface ChatMessageOut {
  /**
   * Epoch milliseconds.
   */
  at: number;
  /**
   * Whether a moderator has deleted the text, which is empty then.
   */
  deleted?: boolean;
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
 * Clock settings of a game, in milliseconds.
 */
export interface ClockOut {
  increment: number;
  initial: number;
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
 * Result of a game.
 */
export interface EndOut {
  abortedBy?: Side;
  clock?: ClocksOut;
  ending?: Ending;
  ratingDiff: RatingDiffOut | null;
  ratingLimit?: RatingLimitOut;
  reason: DrawReason | null;
  shuffle?: SeedCommitment;
  status: GameStatus;
  /**
   * Whether a moderator has voided the game: it does not count.
   */
  voided?: boolean;
  winner: Side | null;
}
/**
 * Ending of a game by its own rules, with the numbers that explain it.
 */
export interface Ending {
  /**
   * Count of the first side: points, pieces home, pieces taken or stones off.
   */
  first?: number;
  kind: EndingKind;
  /**
   * Limit of plies without progress that was reached.
   */
  plies?: number;
  /**
   * Moves of the opponent since the side was home, if the game is played for points.
   */
  points?: number;
  /**
   * Count of the second side.
   */
  second?: number;
  side?: Side;
}
/**
 * Rating change of each side.
 */
export interface RatingDiffOut {
  first: number;
  second: number;
}
/**
 * Reason why each side gained less than the ratings give.
 */
export interface RatingLimitOut {
  first: GainLimit | null;
  second: GainLimit | null;
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
 * Terms of a rematch for one player of a finished game.
 */
export interface RematchTermsOut {
  fit: RematchFitCode;
  outside?: OutsideRangeOut;
  /**
   * Current rating of the player.
   */
  rating: number;
  reason?: Reason;
  /**
   * Estimated number of rated games until that rating is established; 0 if it is.
   */
  settlingGames: number;
}
/**
 * Rating that does not satisfy the range of the previous game.
 */
export interface OutsideRangeOut {
  /**
   * Highest accepted rating; null if unbounded.
   */
  max: number | null;
  /**
   * Lowest accepted rating; null if unbounded.
   */
  min: number | null;
  owner: Side | null;
  /**
   * Rating of the player.
   */
  rating: number;
  reason: Reason;
  side: Side;
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
  type: GameLineType;
  wdraw?: boolean;
  winc: number;
  winner?: LichessColor;
  wtakeback?: boolean;
  wtime: number;
}
/**
 * Conditional moves of the requester in a game.
 */
export interface ConditionalOut {
  /**
   * Lines from there, each as notations with spaces in between.
   */
  lines: string[];
  /**
   * Number of plies played.
   */
  ply: number;
}
/**
 * Hint for the requester.
 */
export interface HintOut {
  /**
   * Expected share of wins of the requester, from 0 to 1; draws count as halves.
   */
  chance: number;
  score: Score;
  /**
   * Notation of the move.
   */
  u: string;
}
/**
 * Note on a game.
 */
export interface NoteOut {
  /**
   * Empty if there is no note.
   */
  text: string;
}
/**
 * Finished game, chosen for a replay.
 */
export interface ClassicOut {
  game: ClassicGame | null;
}
/**
 * Game in a list.
 */
export interface GameSummary {
  createdAt: number;
  endedAt: number | null;
  ending?: Ending;
  first: RatedPlayer;
  id: string;
  options: OptionValues;
  /**
   * Number of plies, once the game is over.
   */
  plies: number | null;
  rated: boolean;
  reason: DrawReason | null;
  second: RatedPlayer;
  speed: Speed;
  status: GameStatus;
  timeControl: TimeControlOut;
  variant: VariantOut;
  /**
   * Whether a moderator has voided the game: it does not count.
   */
  voided?: boolean;
  winner: Side | null;
}
/**
 * Numbers of games between people that began in each hour of the day.
 */
export interface UsualHours {
  /**
   * Number of games that were counted.
   */
  games: number;
  /**
   * Number of games for each of the 24 hours of the day, in UTC.
   */
  hours: number[];
}
/**
 * A page of the list of live games.
 */
export interface LiveGames {
  games: LiveGameOut[];
  page: number;
  /**
   * Games on all pages.
   */
  total: number;
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
  speed: Speed;
  timeControl: TimeControlOut;
  variant: VariantOut;
  watchers: number;
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
 * The account that is now signed in.
 */
export interface SignedInAccount {
  id: string;
  username: string;
}
/**
 * Player on a leaderboard.
 */
export interface LeaderboardEntry {
  id: string;
  online: boolean;
  perfs: {
    [k: string]: LeaderboardPerf;
  };
  title?: Title | null;
  username: string;
}
/**
 * Rating on a leaderboard.
 */
export interface LeaderboardPerf {
  games: number;
  progress: number;
  rating: number;
}
/**
 * Player found by a name search.
 */
export interface Suggestion {
  id: string;
  name: string;
  online: boolean;
}
/**
 * Leaderboard.
 */
export interface Leaderboard {
  users: LeaderboardEntry[];
}
/**
 * Answer to a query.
 */
export interface QueryAnswer {
  ending?: Ending;
  /**
   * Legal moves in byte order; none if the game is over. Omitted if the query has clicks.
   */
  legal?: string[];
  outcome: QueryOutcome | null;
  /**
   * Text of the position after the moves.
   */
  position: string;
  preview?: Trace;
  /**
   * Reason for the result.
   */
  reason: string | null;
  refusal?: Violation;
  /**
   * Every ply, if requested.
   */
  replay?: PlyInfo[];
  turn: Side;
}
/**
 * Rule that forbids a click or a move, with the values that explain it.
 */
export interface Violation {
  /**
   * Cell that explains the refusal, often not the clicked one.
   */
  cell?: string;
  /**
   * Number that explains the refusal.
   */
  count?: number;
  /**
   * Number that the rule requires in place of `count`.
   */
  needed?: number;
  rule: BrokenRule;
}
/**
 * One ply of a replay.
 */
export interface PlyInfo {
  /**
   * Text of the position after the ply.
   */
  position: string;
  trace: Trace;
}
/**
 * State of push messages.
 */
export interface PushOut {
  /**
   * Whether the server sends push messages.
   */
  enabled: boolean;
  /**
   * Endpoints of the subscriptions of this session.
   */
  endpoints: string[];
  kinds: PushKindsOut;
  /**
   * Public key of the server in base64url, if it is enabled (`applicationServerKey`).
   */
  publicKey?: string | null;
}
/**
 * Kinds of push messages.
 */
export interface PushKindsOut {
  /**
   * A player challenges the account by name.
   */
  challenge: boolean;
  /**
   * The deadline of a move in a game without a clock is near.
   */
  deadline: boolean;
  /**
   * A game night begins in which the account is interested.
   */
  eventStart: boolean;
  /**
   * A challenge of the account was accepted.
   */
  gameStart: boolean;
  /**
   * The opponent has moved in a game without a clock.
   */
  myTurn: boolean;
}
/**
 * Ways to set a new password without the old one.
 */
export interface RecoveryWays {
  /**
   * A link by e-mail, to the address of the account.
   */
  email: boolean;
  /**
   * Recovery words.
   */
  words: boolean;
}
/**
 * Account that has a new password and is signed in.
 */
export interface RecoveredAccount {
  /**
   * Confirmed e-mail address, which gets links that set a new password.
   */
  email: string | null;
  id: string;
  username: string;
  /**
   * Number of recovery words that are left.
   */
  wordsLeft: number;
}
/**
 * Players blocked by the requester.
 */
export interface BlockedPlayers {
  blocked: PlayerName[];
}
/**
 * Id and name of a player.
 */
export interface PlayerName {
  id: string;
  name: string;
}
/**
 * Report as shown to moderators.
 */
export interface ReportOut {
  about: string;
  createdAt: number;
  game?: string | null;
  number: number;
  reason: string;
  reporter: string;
  text: string;
}
/**
 * Tokens of an account.
 */
export interface Tokens {
  tokens: TokenOut[];
}
/**
 * Token as shown to its owner.
 */
export interface TokenOut {
  createdAt: number;
  description: string;
  /**
   * Time from which the token is invalid; `null` for one of an earlier version, without an end.
   */
  expiresAt?: number | null;
  id: string;
  scopes: string[];
  /**
   * The token itself; only in the response that creates it.
   */
  token?: string | null;
  usedAt?: number | null;
}
/**
 * TV channel with the best game of a variant.
 */
export interface TvChannelOut {
  color: LichessColor;
  game: LiveGameOut;
  gameId: string;
  rating: number;
  user: LightPlayer;
}
/**
 * Id, name and title of a player.
 */
export interface LightPlayer {
  id: string;
  name: string;
  title?: Title;
}
/**
 * Page of games.
 */
export interface GamesPage {
  games: GameSummary[];
  page: number;
  pages: number;
  total: number;
}
/**
 * Rating history in the lichess format: year, month from 0, day and rating, one point per day.
 */
export interface RatingHistoryOut {
  name: string;
  points: number[][];
}
/**
 * Players who are online.
 */
export interface OnlineOut {
  /**
   * Number of guests.
   */
  guests: number;
  /**
   * Number of players, including those that are not in the list.
   */
  total: number;
  /**
   * The first 50 players: those whom the requester follows, then the others, by name.
   */
  users: OnlineUser[];
}
/**
 * Player who is online.
 */
export interface OnlineUser {
  /**
   * Whether the requester follows the player; false for tokens without the scope `follow:read`.
   */
  following: boolean;
  id: string;
  name: string;
}
/**
 * Variant as the API describes it.
 */
export interface VariantDescription {
  board: Board;
  /**
   * Whether the start position is random.
   */
  chance: boolean;
  /**
   * Key in camel case, as in paths and stored games.
   */
  key: string;
  /**
   * English name.
   */
  name: string;
  names: VariantNames;
  /**
   * Options of a game.
   */
  options: OptionDescription[];
  /**
   * Names of the first and the second side.
   */
  sides: string[];
}
/**
 * Names of a variant in the languages of the client.
 */
export interface VariantNames {
  /**
   * English.
   */
  en: string;
  /**
   * Dutch.
   */
  nl: string;
  /**
   * Swedish.
   */
  sv: string;
}
/**
 * Option of a variant, chosen when a game is created.
 */
export interface OptionDescription {
  default: OptionValue;
  /**
   * Key, unique within the variant.
   */
  key: string;
  /**
   * Possible values.
   */
  values: OptionValue[];
}
/**
 * Exported game.
 */
export interface RecordOut {
  clock?: RecordClock;
  /**
   * Time left to the mover after each move, in hundredths of a second.
   */
  clocks?: number[];
  createdAt: number;
  daysPerTurn?: number;
  ending?: Ending;
  first: PlayerOut;
  id: string;
  initialFen: string;
  lastMoveAt: number;
  moves?: string;
  options: OptionValues;
  perf: string;
  pgn?: string;
  players: RecordPlayers;
  rated: boolean;
  reason?: DrawReason;
  second: PlayerOut;
  seed?: number;
  source: GameSource;
  speed: Speed;
  status: GameStatus;
  variant: string;
  /**
   * Whether a moderator has voided the game: it does not count.
   */
  voided?: boolean;
  winner?: LichessColor;
}
/**
 * Clock settings of an exported game, in seconds.
 */
export interface RecordClock {
  increment: number;
  initial: number;
  totalTime: number;
}
/**
 * Players of an exported game, by lichess color.
 */
export interface RecordPlayers {
  black: RecordPlayer;
  white: RecordPlayer;
}
/**
 * Player of an exported game.
 */
export interface RecordPlayer {
  provisional: boolean;
  rating: number;
  ratingDiff?: number;
  user: LightUser;
}
/**
 * Id, name and title of a player.
 */
export interface LightUser {
  id: string;
  name: string;
  title?: Title;
}
/**
 * Settings that the server stores.
 */
export interface SettingsOut {
  challenges: ChallengeSettings;
  /**
   * Whether the account gets digests by e-mail.
   */
  digest: boolean;
  /**
   * Confirmed e-mail address.
   */
  email: string | null;
  /**
   * Whether the account gets reminders before deadlines by e-mail.
   */
  emailReminders: boolean;
  /**
   * Passkeys, without their keys.
   */
  passkeys: PasskeyOut[];
  /**
   * E-mail address that is not confirmed.
   */
  pendingEmail: string | null;
  /**
   * Whether others see when the account is online.
   */
  presenceShown: boolean;
  push: PushKindsOut;
  /**
   * Push services that get messages for the account.
   */
  pushEndpoints: string[];
  /**
   * Number of recovery words that are left.
   */
  recoveryWords: number;
  /**
   * Hours of the reminders before a deadline.
   */
  reminderTimes: number[];
  /**
   * Time since which logins need a code of an authenticator app; `null` if they need none.
   */
  totpSince?: number | null;
}
/**
 * Failed logins of the account in a minute.
 */
export interface FailedLoginsOut {
  /**
   * Start of the minute, in epoch milliseconds.
   */
  at: number;
  count: number;
}
/**
 * Player whom the account has blocked or follows.
 */
export interface OtherPlayerOut {
  username: string;
}
/**
 * Note of the account on a game.
 */
export interface GameNoteOut {
  /**
   * Id of the game.
   */
  game: string;
  text: string;
}
/**
 * Conditional moves of the account in a game in progress.
 */
export interface StoredConditionalMovesOut {
  /**
   * Id of the game.
   */
  game: string;
  /**
   * Lines with the replies.
   */
  lines: string;
  /**
   * Moves of the game before the lines.
   */
  played: string;
}
/**
 * Vacation of the account, in epoch milliseconds.
 */
export interface TakenVacationOut {
  end: number;
  start: number;
}
/**
 * Report by the account.
 */
export interface ReportedOut {
  createdAt: number;
  game: string | null;
  reason: string;
  text: string;
  username: string;
}
/**
 * Action of a moderator.
 */
export interface ModerationOut {
  action: string;
  at: number;
  /**
   * Id of the game that was voided, or of that of a chat line.
   */
  game?: string;
  /**
   * End of the action, if it has one.
   */
  until?: number;
}
/**
 * Chat line of the account.
 */
export interface OwnChatOut {
  at: number;
  /**
   * Id of the game.
   */
  game: string;
  room: ChatRoom;
  text: string;
}
/**
 * Chat message.
 */
export interface ChatLine {
  room: ChatRoom;
  text: string;
  type: GameLineType;
  username: string;
}
/**
 * Change of the clocks.
 */
export interface ClockMessage {
  clocks: ClocksOut | null;
  given?: GivenTimeOut;
  /**
   * Excluded outage or, with `vacationUntil`, excluded vacation, in milliseconds.
   */
  lost?: number;
  /**
   * End of the vacation of the player to move, in epoch milliseconds.
   */
  vacationUntil?: number;
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
 * Error response.
 */
export interface ErrorBody {
  appeal?: AppealOut;
  /**
   * Name of the signed-in account that would be replaced.
   */
  current?: string;
  /**
   * Sentence for people.
   */
  error: string;
  /**
   * Name of the guest who would replace it.
   */
  guest?: string;
  /**
   * Second factors of the account, of which the request needs one.
   */
  kinds?: SecondFactorKind[];
  passkey?: PasskeyRequest;
  /**
   * Number of moves before the error, in answers to queries of positions.
   */
  ply?: number;
  /**
   * Rating of the requester, if it is the reason.
   */
  rating?: number;
  reason?: Reason;
  rule?: BrokenRule;
  /**
   * Time until which a moderator has closed the account, or banned the address or device.
   */
  until?: number;
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
 * Game that is not in play, and its result; all fields but the id are null if there is no such
 * game.
 */
export interface LiveGameEnd {
  ending?: Ending;
  id: string;
  reason: DrawReason | null;
  status: GameStatus | null;
  winner: Side | null;
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
 * Move with what it has changed. Fields that have their usual value are absent.
 */
export interface ShortMoveOut {
  /**
   * True if the game can be aborted.
   */
  abortable?: boolean;
  by: Side;
  /**
   * New content of the cells that the move may have changed, by cell, as in a position text.
   */
  changed: {
    [k: string]: string;
  };
  clock?: ClocksOut;
  /**
   * Deadline of the next move by correspondence, in epoch milliseconds.
   */
  dueBy?: number;
  /**
   * Position text after the side to move, if there is any.
   */
  extras?: string;
  /**
   * Compensated lag, in milliseconds.
   */
  lag?: number;
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
  startBy?: number;
  trace: Trace | null;
  turn: Side;
  /**
   * Notation.
   */
  u: string;
}
/**
 * Side with an open offer; null if the offer has ended.
 */
export interface OfferOut {
  by: Side | null;
}
/**
 * Absence or return of the opponent.
 */
export interface OpponentGone {
  claimWinInSeconds?: number;
  gone: boolean;
  type: GameLineType;
}
/**
 * Player who has ended a rematch offer without an answer.
 */
export interface RematchCauseOut {
  reason: RematchCause;
  side: Side;
}
/**
 * Move of a spectated game; clocks in seconds.
 */
export interface GameStreamMove {
  bc?: number;
  fen: string;
  lm: string;
  wc?: number;
}
/**
 * First line of a spectated game.
 */
export interface GameStreamStart {
  createdAt: number;
  fen: string;
  id: string;
  initialFen: string;
  lastMove: string;
  perf: PerfName;
  player: LichessColor;
  players: PlayerPair;
  rated: boolean;
  source: GameSource;
  speed: Speed;
  startedAtTurn: number;
  status: StatusOut;
  turns: number;
  variant: VariantOut;
  winner?: LichessColor;
}
/**
 * Both players by lichess color.
 */
export interface PlayerPair {
  black: WatchedPlayer;
  white: WatchedPlayer;
}
/**
 * Player of a spectated game.
 */
export interface WatchedPlayer {
  provisional: boolean;
  rating: number;
  user: LightPlayer;
}
/**
 * Event that its reader may not see.
 */
export interface HiddenEvent {
  /**
   * Number of the event.
   */
  v: number;
}
/**
 * Options of a move.
 */
export interface MoveForm {
  /**
   * Whether to offer a draw, or to accept one.
   */
  offeringDraw?: boolean | null;
}
/**
 * Ready check: the game that would begin, and its acceptor.
 */
export interface ReadyCheckOut {
  by: PlayerOut;
  challenge: ChallengeOut;
  options: OptionValues;
  /**
   * Deadline, in epoch milliseconds.
   */
  readyBy: number;
  timeControl: TimeControlOut;
  variant: VariantOut;
}
/**
 * Ply of a finished game.
 */
export interface ReviewLine {
  /**
   * Notation of the best move; null if the game is over.
   */
  best: string | null;
  /**
   * Expected share of wins of the first side, from 0 to 1; draws count as halves.
   */
  chance: number;
  /**
   * Notation of the move played; null at the end.
   */
  played: string | null;
  /**
   * Number of moves played before.
   */
  ply: number;
  score: Score | null;
}
export interface SocketMessages {
  "/ws/game/{id}": NumberedEvent | HiddenEvent | GameStatusMessage | UserMessage | ReplyMessage;
  "/ws/live": FollowedMessage | ReplyMessage;
  "/ws/lobby": LobbyMessage | UserMessage | ReplyMessage;
  "/ws/me": UserMessage | ReplyMessage;
}
/**
 * Player with the time left, in the format of lichess TV.
 */
export interface TvPlayer {
  color: LichessColor;
  rating: number;
  seconds: number | null;
  user: LightPlayer;
}
