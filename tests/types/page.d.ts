// Types shared by the client's modules, and extensions of the browser's types.

/** Content of an element: text, nodes, or nothing. */
type Child = Node | string | number | false | null | undefined | Child[];

/** Tokens of a board by cell name. Every cell of the board has one. */
interface Tokens extends Map<string, string> {
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
  instruction?(asked: { cells: string; extras: string; side: Side }): string | null;
  arcs?: boolean;
  crawls?: boolean;
  movingPart?(token: string): string;
  remainder?(token: string): string | null;
  topHeight?(token: string): number;
  captureTiming?: "first" | "passed";
  sweep?(): Node[];
  sound: string;
  isTurnedOver?(before: string, now: string): boolean;
  countsHops?: boolean;
  finishKey?: string;
  continueKey?: string;
  removesKey?: string;
  moveText?(u: string, before: string, trace?: Trace | null): string;
  describe(token: string, mark: string): string;
  sampleCells?: string;
  icon(side?: string): { view: string; nodes: Node[] };
}

/** State of a board to be shown. */
interface BoardState {
  cells: string;
  before?: string | null;
  trace?: Trace | null;
  side?: Side | null;
  chosen?: string[];
  targets?: Set<string>;
  movable?: Set<string>;
  additional?: Set<string>;
  hint?: string[];
  isPending?: boolean;
  preview?: Trace | null;
  isPremove?: boolean;
}

/** Button of the status line: label, action, and class. */
type StatusButton = [label: string, action: () => unknown, look?: string];

/** Content of the status line: bold text, plain text, buttons, and whether it is not announced. */
type StatusContent = [bold: string, plain?: string, buttons?: StatusButton[], quiet?: boolean];

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
