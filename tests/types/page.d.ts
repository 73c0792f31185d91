// What the modules of the pages hand to each other, and what the browser has besides.

/** What can be put into an element: text, other elements, or nothing. */
type Child = Node | string | number | false | null | undefined | Child[];

/** What stands on each cell of a board, by the name of the cell. Whoever asks for a cell of the board finds it. */
interface Tokens extends Map<string, string> {
  get(cell: string): string;
}

/** A cell of a board as it is drawn. */
interface DrawnCell {
  token: string;
  /** What stood there a ply ago. */
  before?: string;
  /** Whether something stands there. */
  landed: boolean | "" | undefined;
  /** What the board's description says of the cell. */
  mark: string;
  col: number;
  row: number;
}

/** What each side has, for its bar. */
interface SideCount {
  phrase: string;
  values: number[];
  of?: number;
  slots?: number;
  others?: boolean;
  more?: { at: number; phrase: string; n: number };
}

/** How a variant looks; `glyphs/index.js` says what each of these means. */
interface PieceSet {
  className: string;
  ground(cell: DrawnCell): (Node | false | null)[];
  backdrop?(
    board: BoardShape,
    place: { at: (col: number, row: number) => number[]; frame: number },
  ): Node[];
  piece(token: string, mark: string): SVGElement | null;
  owner(token: string): Side | null;
  keepsReadable(token: string): boolean;
  keepsGround?: boolean;
  count(shown: { cells: string; extras: string; options: Options; board: BoardShape }): SideCount;
  instruction?(asked: { cells: string; extras: string; side: Side }): string | null;
  arcs?: boolean;
  crawls?: boolean;
  movingPart?(token: string): string;
  remainder?(token: string): string | null;
  rise?(token: string): number;
  takes?: "first" | "passed";
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

/** What a board is asked to show. */
interface BoardState {
  cells: string;
  before?: string | null;
  trace?: Trace | null;
  side?: Side | null;
  chosen?: string[];
  offered?: Set<string>;
  movable?: Set<string>;
  also?: Set<string>;
  advised?: string[];
  unsent?: boolean;
  preview?: Trace | null;
  ahead?: boolean;
}

/** A button of the hint: what it says, what it does, and how it looks. */
type StatusButton = [label: string, deed: () => unknown, look?: string];

/** What stands in the hint: a bold sentence, a plain one, buttons, and whether it is only to be seen. */
type StatusContent = [bold: string, plain?: string, buttons?: StatusButton[], quiet?: boolean];

/** The colours that were chosen; `theme.js` keeps them. */
interface Theme {
  now(): string;
  set(theme: string): string;
  next(): string;
}
declare const sprongTheme: Theme;

interface Window {
  sprongTheme: Theme;
}

interface Navigator {
  /** Not every browser tells of its network. */
  connection?: EventTarget;
}

// What is looked for by its class is there, and of the kind that the module made itself.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
  focus(options?: FocusOptions): void;
}

// The browser writes numbers as text by itself.
interface Element {
  setAttribute(name: string, value: string | number | boolean): void;
}
interface CSSStyleDeclaration {
  setProperty(property: string, value: string | number): void;
}
interface URLSearchParams {
  set(name: string, value: string | number | boolean): void;
}
