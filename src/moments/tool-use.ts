/** What a tool call does, in the same form for every host. Adapters find it in the call's arguments, never in prose. */

/** A file that a tool call read or edited, or that a prompt mentions. */
export interface FileAccess {
  readonly path: string;
  readonly access: "read" | "edit";
}

/** Text that one tool call puts into one file. */
export interface Edit {
  /** As in `FileAccess`. After a move, the new path. */
  readonly path: string;
  /** Where the file is without links, if that is another path. */
  readonly realPath?: string;
  /** `whole`: the call gives the file's whole content; what stood there before may be part of it. */
  readonly kind: "whole" | "part";
  /** The call creates the file. Absent if its arguments do not say. */
  readonly isNew?: boolean;
  /** The lines that it adds, in order. */
  readonly hunks: readonly Hunk[];
  /** The file's content before, if the host says it. Asked only after something was found in a `whole` edit. */
  readonly before?: () => string | undefined;
}

/** Lines that are added next to each other. */
export interface Hunk {
  /** Joined by line feeds, without one at the end. */
  readonly text: string;
  /** The number of its first line in the file, from 1, if the arguments say it. */
  readonly line?: number;
}
