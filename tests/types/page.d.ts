// Types shared by the client's modules, and extensions of the browser's types.

/** Content of an element: text, nodes, or nothing. */
type Child = Node | string | number | false | null | undefined | Child[];

/** Tokens of a board by cell name. Every cell of the board has one. */
interface Tokens extends ReadonlyMap<string, string> {
  get(cell: string): string;
}

/** Cell of a board to be drawn. */
interface DrawnCell {
  token: string;
  /** Token one ply earlier. */
  before?: string;
  /** Whether the cell has a piece or an unchanged token. */
  landed: boolean | "" | undefined;
  /** Letter of the cell in the board's description. */
  mark: string;
  col: number;
  row: number;
}

/** Counters of both sides for their bars. */
interface SideCount {
  phrase: string;
  values: number[];
  of?: number;
  slots?: number;
  others?: boolean;
  more?: { at: number; phrase: string; n: number };
}

/** Appearance of a variant; `variants/index.js` describes the members. */
interface PieceSet {
  ground(cell: DrawnCell): (Node | false | null)[];
  backdrop?(
    board: BoardShape,
    place: { at: (col: number, row: number) => number[]; frame: number },
  ): Node[];
  piece(token: string, mark: string): SVGElement | null;
  owner(token: string): Side | null;
  keepsReadable(token: string): boolean;
  keepsGround?: boolean;
  count(position: {
    cells: string;
    extras: string;
    options: Options;
    board: BoardShape;
  }): SideCount;
  arcs?: boolean;
  crawls?: boolean;
  movingPart?(token: string): string;
  remainder?(token: string): string | null;
  topHeight?(token: string): number;
  captureTiming?: "first" | "passed";
  sweep?(): Node[];
  sound: string;
  isTurnedOver?(before: string, now: string): boolean;
  describe(token: string, mark: string): string;
  sampleCells?: string;
  icon(side?: string): { view: string; nodes: Node[] };
}

/** Stage of a move that is being entered. */
interface Stage {
  cells: string;
  tokens: Tokens;
  extras: string;
  side: Side;
  sides: string[];
  options: Options;
  board: BoardShape;
  clicks: import("../../static/model/click-path.js").ClickPath;
  /** Number of moves that the side has made. */
  ownMoves: number;
  /** Returns the mark of a cell in the description of the board. */
  markOf(cell: string): string;
}

/** Move that was made, with the position before and after it. */
interface MoveChange {
  trace: Trace;
  by: Side;
  /** Side of the viewer, null for a spectator. */
  you: Side | null;
  sides: string[];
  options: Options;
  board: BoardShape;
  before: Tokens;
  now: Tokens;
  /** Cells and extras of the position after the move. */
  cells: string;
  extras: string;
}

/** Words about the moves of a variant; `guidance/index.js` describes the members. */
interface Guidance {
  prompt(stage: Stage): [bold: string, plain: string];
  preview(stage: Stage, trace: Partial<Trace>): string;
  report(change: MoveChange): string;
  finish?(stage: Stage): string;
  listText?(u: string, change: { trace: Trace | null | undefined; before: Tokens }): string;
  isPlacing?(position: { cells: string; extras: string; side: Side }): boolean;
  goal?(side: Side, board: BoardShape, ownMoves: number): string[];
  goalText?(): string;
  labels?(state: Pick<BoardState, "chosen" | "lengths">): string[];
  forbidden?(state: {
    chosen: readonly string[];
    side: Side;
    tokens: Tokens;
    markOf: (cell: string) => string;
  }): string[];
  further?(path: string[], tokens: Tokens): string[][];
  inspect?(look: {
    cell: string;
    tokens: Tokens;
    markOf: (cell: string) => string;
    sides: string[];
  }): Inspection | null;
  gain?(trace: Trace, before: Tokens): { cell: string; text: string } | null;
  lead?(values: number[]): string[];
  countsHops?: boolean;
  removedText?(cells: string[], before: Tokens | null | undefined): string;
}

/** Marks and words of a closer look at a cell. */
interface Inspection {
  text: string;
  /** Pieces of a stack from the top, with their names. */
  stack?: { token: string; name: string }[];
  attacked?: string[];
  /** Capture lines towards the cell. */
  strikes?: string[][];
  /** Whether a mouse that rests on the cell opens it. */
  opensOnHover?: boolean;
}

/** State of a board to be shown. */
interface BoardState {
  readonly cells: string;
  readonly before?: string | null;
  readonly trace?: Trace | null;
  readonly side?: Side | null;
  readonly chosen?: readonly string[];
  readonly targets?: ReadonlySet<string>;
  readonly movable?: ReadonlySet<string>;
  readonly additional?: ReadonlySet<string>;
  readonly hint?: readonly string[];
  /** Cells that are framed because a side moves towards them. */
  readonly goal?: readonly string[];
  /** Numbers of cells of the moves that begin with the chosen ones. */
  readonly lengths?: ReadonlySet<number>;
  /** Cell of a first tap that waits for the second one. */
  readonly held?: string | null;
  /** Cell at which a first game points. */
  readonly pointer?: string | null;
  readonly isPending?: boolean;
  readonly preview?: Trace | null;
  readonly isPremove?: boolean;
}

/** Button of the status line: label, action, and class. */
type StatusButton = [label: string, action: () => unknown, look?: string];

/**
 * Content of the status line: bold text, plain text, buttons, and whether it is not announced;
 * "plain" excludes the plain text only.
 */
type StatusContent = [
  bold: string,
  plain?: string,
  buttons?: StatusButton[],
  quiet?: boolean | "plain",
];

/** Color themes, applied by `theme.js`. */
interface Theme {
  themes: string[];
  /** Returns the current theme. */
  now(): string;
  /** Returns the theme after the current one. */
  next(): string;
  /** Applies a theme, without storing it. */
  set(theme: string): void;
}
declare const sprongTheme: Theme;

interface Window {
  sprongTheme: Theme;
}

interface Navigator {
  /** Missing in some browsers. */
  connection?: EventTarget;
}

// Queries by class name return elements of the kind that the module created.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
  focus(options?: FocusOptions): void;
}

// The browser converts numbers to text.
interface Element {
  setAttribute(name: string, value: string | number | boolean): void;
}
interface CSSStyleDeclaration {
  setProperty(property: string, value: string | number): void;
}
interface URLSearchParams {
  set(name: string, value: string | number | boolean): void;
}
