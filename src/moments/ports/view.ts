/** What a reader of an action is shown: blocks, one below the other. Each front end draws them in its own way. */
export type Block = string | TextBlock | TableBlock | NextBlock | UndoBlock | AsideBlock;

/** A string alone is one too. Lines are broken between words where the screen is narrow. */
export interface TextBlock {
  readonly text: string;
  /** How far the rest of a broken line is indented. */
  readonly hang?: number;
  /** Code and tables keep their lines. */
  readonly isMarkdown?: true;
  /** Broken to 80 columns also where a program reads it. */
  readonly isNarrow?: true;
  /** A command, which people copy, or what a program reads. */
  readonly isExact?: true;
}

export const exact = (text: string): TextBlock => ({ text, isExact: true });

export interface TableBlock {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What gives way on a narrow screen. */
  readonly fit?: Columns;
  /** Lines under each row, of a table whose rows have one line. */
  readonly below?: readonly (readonly string[])[];
}

/** What may happen to columns where a table is too wide for the screen; by their place, from 0. */
export interface Columns {
  /** Cut if need be, the widest first. Without it: the widest column. */
  readonly flexible?: number | readonly number[];
  /** Flexible as well, but continued on the next line instead of cut. */
  readonly wraps?: readonly number[];
  /** Cut at the beginning, because the end says most: paths. */
  readonly keepEnd?: readonly number[];
  /** Left out if need be, the first one first. */
  readonly optional?: readonly number[];
}

/** What a person at a terminal may want next. Nobody else is told. */
export interface NextBlock {
  readonly next: readonly (readonly [command: string, whatFor: string])[];
}

/** The command that undoes what was done. */
export interface UndoBlock {
  readonly undo: string;
}

/** For a person, where a program reads the rest: on standard error of a command line. */
export interface AsideBlock {
  readonly aside: string;
}

export type Look = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** What a view knows of its reader. */
export interface Shown {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: number;
  /** A program reads it, or a file keeps it. */
  readonly isPiped?: boolean;
  /** Colours a piece of text where the reader sees colours. */
  readonly paint: (look: Look, text: string) => string;
}

export const UNPAINTED: Shown["paint"] = (_look, text) => text;

/** For readers without columns and colours, such as a message inside an agent. */
export function plainText(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => {
      if (typeof block === "string") return [block];
      if ("text" in block) return [block.text];
      if ("next" in block || "aside" in block) return [];
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
