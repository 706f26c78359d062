/**
 * What a tool call does, in the same form for every host. Adapters derive it from the call's arguments, never from
 * prose.
 */

/** A file that a tool call read or edited, or that a prompt mentions. */
export interface FileAccess {
  readonly path: string;
  readonly access: "read" | "edit";
}

/** Text that one tool call puts into one file. */
export interface Edit {
  /** As in `FileAccess`. After a move, the new path. */
  readonly path: string;
  /** The file's path without links, if it differs. */
  readonly realPath?: string;
  /** `whole`: the call contains the file's whole content, part of which may have been there before. */
  readonly kind: "whole" | "part";
  /** Whether the call creates the file. Absent if its arguments do not say. */
  readonly isNew?: boolean;
  /** The added lines, in order. */
  readonly hunks: readonly Hunk[];
  /** The file's previous content, if the host provides it. Called only after something was found in a `whole` edit. */
  readonly before?: () => string | undefined;
}

/** Consecutive added lines. */
export interface Hunk {
  /** Joined by line feeds, without one at the end. */
  readonly text: string;
  /** The number of its first line in the file, counted from 1, if the arguments contain it. */
  readonly line?: number;
}
