/** A folder whose Markdown files are notes. */
export interface MemoryRoot {
  /** Absent for the main root, whose notes are `memory://…`; the others' are `memory://@name/…`. */
  readonly name?: string;
  /** Absolute. It need not exist yet. */
  readonly path: string;
  readonly kind: RootKind;
  /** Other programs' folders are read in place and never changed. */
  readonly isWritable: boolean;
}

export type RootKind =
  | "maenifold"
  | "continuo"
  | "obsidian"
  | "basic-memory"
  | "claude-code"
  | "logseq"
  | "plain";
