/** An action's output for its reader: blocks, one below the other. Each front end renders them in its own way. */
export type Block = string | TextBlock | TableBlock | NextBlock | StepBlock | UndoBlock | AsideBlock;

/** Text; a plain string is the short form. Lines are broken between words on a narrow screen. */
export interface TextBlock {
  readonly text: string;
  /** How far continuation lines are indented. */
  readonly hang?: number;
  /** Code and tables keep their line breaks. */
  readonly isMarkdown?: true;
  /** Wrapped at 80 columns even if a program reads it. */
  readonly isNarrow?: true;
  /** Never changed: a command to copy, or output for a program. */
  readonly isExact?: true;
}

export const exact = (text: string): TextBlock => ({ text, isExact: true });

export interface TableBlock {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Which columns give way on a narrow screen. */
  readonly fit?: Columns;
  /** Lines below each row, for a table with one-line rows. */
  readonly below?: readonly (readonly string[])[];
}

/** How columns shrink if the table is too wide for the screen; columns are numbered from 0. */
export interface Columns {
  /** Columns to cut, the widest first (default: the widest column). */
  readonly flexible?: number | readonly number[];
  /** Flexible columns that continue on the next line instead of being cut. */
  readonly wraps?: readonly number[];
  /** Columns cut at the beginning, because the end is most informative: paths. */
  readonly keepEnd?: readonly number[];
  /** Columns to leave out, in this order. */
  readonly optional?: readonly number[];
  /** On a screen narrower than this, the last column moves to a line below each row. */
  readonly lastBelow?: number;
}

/** Suggested next commands, only for a user at a terminal. */
export interface NextBlock {
  readonly next: readonly (readonly [command: string, whatFor: string])[];
}

/** A command suggested to every reader, on its own line on narrow screens. */
export interface StepBlock {
  readonly step: string;
  readonly whatFor: string;
}

/** The command that undoes what was done. */
export interface UndoBlock {
  readonly undo: string;
}

/** For the user even if a program reads the rest: printed to standard error. */
export interface AsideBlock {
  readonly aside: string;
}

export type Look = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** What a view knows about its reader. */
export interface Shown {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: number;
  /** The output goes to a program or a file. */
  readonly isPiped?: boolean;
  /** The screen may not show anything beyond ASCII. */
  readonly isAscii?: boolean;
  /** Colours text if the reader can see colours. */
  readonly paint: (look: Look, text: string) => string;
}

/** The results of one kind. */
export interface Found<Data = unknown> {
  /** The heading. */
  readonly title: string;
  /** The number of results on all pages. */
  readonly total: number;
  /** One page of results, best first: a function for each that returns its lines. */
  readonly found: readonly ((shown: Shown) => readonly string[])[];
  /** Shown below: what the reader should know about how the results were found. */
  readonly remarks: readonly string[];
  /** Shown if nothing was found. */
  readonly nothing: string;
  /** Nothing of this kind exists, whatever the query. */
  readonly isEmpty: boolean;
  /** The suggested next command for the results. */
  readonly step: readonly [command: string, whatFor: string] | undefined;
  /** For programs. */
  readonly data: Data;
}

export const UNPAINTED: Shown["paint"] = (_look, text) => text;

/** For readers without columns and colours, such as a message inside an agent. */
export function plainText(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => {
      if (typeof block === "string") return [block];
      if ("text" in block) return [block.text];
      if ("next" in block || "aside" in block) return [];
      if ("step" in block) return [`${block.whatFor}: ${block.step}`];
      if ("undo" in block) return [`To undo: ${block.undo}`];
      return [block.columns, ...block.rows].flatMap((row, at) => [
        row
          .map((cell) => cell.replace(/\s+/g, " ").trim())
          .filter((cell) => cell !== "")
          .join("  "),
        ...(block.below?.[at - 1] ?? []),
      ]);
    })
    .join("\n");
}
