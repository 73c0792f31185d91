// Names of the server's types in the client, and the forms in which the client holds them. The
// types are in `messages.d.ts`, which is generated from the server's code. Times are epoch
// milliseconds.

type Side = import("./messages").Side;
type Trace = import("./messages").Trace;
type OptionValue = import("./messages").OptionValue;
type Options = import("./messages").OptionValues;
type VariantOption = import("./messages").OptionDescription;
type BoardShape = import("./messages").Board;
type Variant = import("./messages").VariantDescription;
type Answer = import("./messages").QueryAnswer;
type TimeControl = Uniform<import("./messages").TimeControlOut>;
type Player = import("./messages").PlayerOut;
type Perf = import("./messages").PerfOut;
type User = import("./messages").UserOut;
type Account = import("./messages").AccountOut;
type ChallengeAudience = import("./messages").ChallengeAudience;
type ChallengeSettings = import("./messages").ChallengeSettings;
type RatingRange = import("./messages").RangeOut;
type Shuffle = import("./messages").SeedCommitment;
type PlayChoice = import("./messages").PlayChoice;
type ClockChoice = import("./messages").ClockChoice;
type Ring = import("./messages").ReadyCheckOut;
type Search = import("./messages").SearchOut;
type ClockTimes = import("./messages").ClocksOut;
type End = import("./messages").EndOut;
type RematchTerms = import("./messages").RematchTermsOut;
type RematchSides = import("./messages").RematchSides;
type RematchBoard = import("./messages").RematchBoard;
type RematchCause = import("./messages").RematchCauseOut;
type OutsideRange = import("./messages").OutsideRangeOut;
type ChatMessage = import("./messages").ChatMessageOut;
type Gone = import("./messages").AbsenceOut;
type Summary = import("./messages").GameSummary;
type OwnGame = import("./messages").PlayerGameOut;
type EmailOut = import("./messages").EmailOut;
type VacationOut = import("./messages").VacationOut;
type GameNight = import("./messages").GameNightOut;
type ListedGameNight = import("./messages").ListedGameNightOut;

type PushOut = import("./messages").PushOut;
type Score = Uniform<import("./messages").Score>;
type Analysis = import("./messages").AnalysisOut;
type ReviewLine = import("./messages").ReviewLine;
type ReportReason = import("./messages").ReportReason;
type ReportQueue = import("./messages").ReportQueueOut;
type ReportedPerson = import("./messages").ReportedPersonOut;
type ReportAbout = import("./messages").ReportAboutOut;
type ModeratedUser = import("./messages").ModeratedUserOut;
type Ban = import("./messages").BanOut;
type Arrivals = import("./messages").ArrivalsOut;
type ModLogEntry = import("./messages").ModLogOut;
type GameChatLine = import("./messages").AdminChatOut;
type ModeratorWarning = import("./messages").WarningOut;
type UnreadWarning = import("./messages").UnreadWarningOut;
type AppealAnswer = import("./messages").AppealOut;
type Suspicion = import("./messages").SuspicionOut;
type ClosingAppeal = import("./messages").ClosingAppealOut;
type Refusal = Frames["refused"];
type RatingPoint = import("./messages").RatingPointOut;
type PlyInfo = import("./messages").PlyInfo;
type Suggestion = import("./messages").Suggestion;
type FoundPlayers = Exclude<import("./messages").Suggestions, string[]>;
type RankedUser = import("./messages").LeaderboardEntry;
type KnownPlayer = import("./messages").PresenceOut;
type LastOpponent = import("./messages").LastOpponent;
type People = import("./messages").PeopleOut;
type Violation = import("./messages").Violation;
type Ending = import("./messages").Ending;

/** Variant in any of the forms of the API. */
type VariantName = Pick<Variant, "key" | "name"> & Partial<Pick<Variant, "names">>;

/** User in any of the forms of the API. */
type Person = Pick<User, "id" | "level"> & { title?: string | null } & Partial<
    Pick<User, "username" | "online"> & Pick<Player, "name">
  >;

/** Variants by key. Every key that the server sends exists. */
interface Catalog extends Map<string, Variant> {
  get(key: string): Variant;
}

type PositionQuery = import("./messages").Query;

/** Variant and options of a query. */
type Setup = Required<Pick<PositionQuery, "variant" | "options">>;

/**
 * Challenge on a page. `readyBy` is null after a ready check; `gone` is the message that replaces
 * the buttons of a challenge that is gone.
 */
type Challenge = Omit<import("./messages").ChallengeOut, "readyBy"> & {
  readyBy?: number | null;
  gone?: string;
};

/** Request of a guest for a casual game, to the creator of a challenge. */
type CasualRequest = import("./messages").CasualRequestOut;

type DeclineReason = import("./messages").DeclineReason;

/** Challenge that is no longer open. The lobby does not give the reason. */
type ChallengeGone = Data<import("./messages").LobbyMessage, "challengeGone"> &
  Partial<Data<import("./messages").UserMessage, "challengeGone">>;

/** Game without the members of its state that repeat others for clients of lichess. */
type Game = Omit<import("./messages").GameFull, "state"> & {
  state: Pick<import("./messages").StateOut, "moves" | "status">;
};

/** Game in progress, in lists with or without boards. */
type LiveGame = import("./messages").LiveOut & Partial<import("./messages").LiveGameOut>;

/** Common fields of all game responses. */
type AnyGame = Pick<
  LiveGame,
  "id" | "variant" | "rated" | "speed" | "timeControl" | "first" | "second"
>;

type SocketMessages = import("./messages").SocketMessages;

/** Message of the server on any socket, but for `HiddenEvent`, which has no type. */
type ServerMessage = Extract<SocketMessages[keyof SocketMessages], { t: string }>;

/** Messages that a page receives on the sockets with the address `A`; `lib/socket.js` handles the others. */
type Received<A extends keyof SocketMessages> = Exclude<
  Extract<SocketMessages[A], { t: string }>,
  { t: "pong" }
>;

/** Messages of the types on `/ws/me`, as any socket has them. Notifications handle them. */
type NoticeMessage = Extract<ServerMessage, { t: Received<"/ws/me">["t"] }>;

/** Messages that a page receives on the socket with the path `P`. */
type ReceivedOn<P extends string> = string extends P
  ? ServerMessage
  : {
      [A in keyof SocketMessages]: MatchesPath<PathOf<P>, A> extends true ? Received<A> : never;
    }[keyof SocketMessages];

/** Data of the messages of a type. */
type Data<M extends { t: string; d: unknown }, T extends M["t"]> = Extract<M, { t: T }>["d"];

/** Data of the messages `M` by type. */
type Frames<M extends ServerMessage = ServerMessage> = { [T in M["t"]]: Uniform<Data<M, T>> };

/** Message on a socket of one of the types `T`: type, event number of the game if it has one, and data. */
type Frame<M extends ServerMessage = ServerMessage, T extends M["t"] = M["t"]> = {
  [P in T]: { t: P; v?: Extract<M, { t: P; v: number }>["v"]; d: Frames<M>[P] };
}[T];

/** Whole content of a frame: a message, or the number of an event that the reader may not see. */
type SocketFrame = Uniform<Frame | import("./messages").HiddenEvent>;

/**
 * Transitions of a page's state by the type of the messages `M` of its sockets. A type without a
 * transition is an error: also that a message is ignored or forwarded is said for each type.
 */
type Transitions<State, Result, M extends ServerMessage> = {
  [T in M["t"]]: (state: State, data: Frames<M>[T], message: Frame<M, T>) => Result;
};

/**
 * Handlers of the messages `M`, by type, that call the methods of a receiver. As `Transitions`, they
 * say for each type also that it is ignored.
 */
type Handlers<R, M extends ServerMessage> = Transitions<R, unknown, M>;

type AnyHandlers = Record<string, (receiver: any, data: any, message: any) => any>;

/** State or object that handlers receive. */
type Receiver<H extends AnyHandlers> = Parameters<H[keyof H]>[0];

/** Messages that handlers receive. */
type MessageOf<H extends AnyHandlers> = Parameters<H[keyof H]>[2];

/** Message of a client that measures the time of a round trip. */
type PingMessage = Extract<
  import("./messages").PlayMessage | import("./messages").FollowMessage,
  { t: "ping" }
>;

/** Message of a client that has a command id. */
type ClientCommand = Exclude<
  import("./messages").PlayMessage | import("./messages").FollowMessage,
  { t: "ping" }
>;

/** Data of a command without the command id, which `lib/socket.js` adds. */
type WithoutId<D> = D extends D ? ("cid" extends keyof D ? Omit<D, "cid"> : never) : never;

/** Data of the commands by type, without the command id. */
type Commands = { [T in ClientCommand["t"]]: WithoutId<Data<ClientCommand, T>> };

type Requests = import("./messages").ApiRequests;
type Responses = import("./messages").ApiResponses;

/** Whether a segment of a path is that of a documented one, which may be a parameter. */
type MatchesSegment<A, T> = T extends `{${string}}` ? true : A extends T ? true : false;

/** Whether a path is that of a documented one. */
type MatchesPath<A, T> = A extends `${infer A1}/${infer A2}`
  ? T extends `${infer T1}/${infer T2}`
    ? MatchesSegment<A1, T1> extends true
      ? MatchesPath<A2, T2>
      : false
    : false
  : T extends `${string}/${string}`
    ? false
    : MatchesSegment<A, T>;

type MatchingKey<Method extends string, A, K extends string> = K extends `${Method} ${infer T}`
  ? MatchesPath<A, T> extends true
    ? K
    : never
  : never;

type PathOf<P> = P extends `${infer A}?${string}` ? A : P;

/**
 * Member of a table of the API by method and path, `never` if there is none. A path without
 * parameters has priority.
 */
type OperationOf<Table, Method extends string, P extends string> = P extends P
  ? `${Method} ${PathOf<P>}` extends keyof Table
    ? Table[`${Method} ${PathOf<P>}`]
    : Table[MatchingKey<Method, PathOf<P>, keyof Table & string>]
  : never;

/** Response to a request by its method and path. */
type ResponseTo<Method extends string, P extends string> = string extends P
  ? any
  : OperationOf<Responses, Method, P>;

/**
 * Body `B` of a request by its method and path. Members that the API does not have are errors, also
 * in variables and spreads, where the compiler permits them.
 */
type BodyOf<Method extends string, P extends string, B> = string extends P
  ? object
  : WithoutOthers<OperationOf<Requests, Method, P>, B>;

type WithoutOthers<Shape, B> = Shape & { [K in Exclude<KeyOf<B>, KeyOf<Shape>>]?: never };

type KeyOf<T> = T extends T ? keyof T : never;

/** Union whose members are the same in all types; those that a type lacks are undefined. */
type Uniform<T, All = T> = T extends T
  ? T & { [K in Exclude<KeyOf<All>, keyof T>]?: undefined }
  : never;
