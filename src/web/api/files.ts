import type { Failure } from "./failure.ts";

/** A file as returned by `GET /api/files`. */
export interface FileView {
  /** Its real path. */
  readonly path: string;
  readonly name: string;
  /** The project or notes folder that contains it. */
  readonly root: string;
  readonly kind: "text" | "binary";
  /** Without a byte order mark. Empty for a binary file. */
  readonly text: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** SHA-256 of the file's bytes; `PUT` needs it. Absent if only a part is shown. */
  readonly checksum?: string;
  /** Only the beginning is shown. */
  readonly isCut: boolean;
  readonly hasByteOrderMark: boolean;
  readonly lineEnd: LineEnd;
  /** For highlighting; absent if the file's name does not tell. */
  readonly language?: string;
  /** Why it cannot be edited here; absent if it can. */
  readonly readOnly?: string;
}

export type LineEnd = "lf" | "crlf" | "mixed";

/** The body of `PUT /api/files`. */
export interface SaveFile {
  readonly path: string;
  readonly text: string;
  /** The checksum of the file that was edited. Without it the file is new: if one exists, nothing is written. */
  readonly checksum?: string;
}

/** The body of a 404 to `GET /api/files` if the page may read there but no file exists. */
export interface FileMissing extends Failure {
  /** The real path. */
  readonly path: string;
}

export interface SavedFile {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  readonly checksum: string;
}

/** The body of a 409 to `PUT /api/files`: the file changed since it was read. */
export interface FileChanged {
  readonly error: { readonly code: "file-changed"; readonly message: string; readonly hint?: string };
  /** The checksums of the file that was edited, and of the current file. */
  readonly checksums: { readonly edited: string; readonly now: string };
}

export interface FolderView {
  readonly path: string;
  readonly root: string;
  readonly entries: readonly FolderEntry[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "folder";
}

/** What `GET /api/diff` compares with: the last commit, the last commit without unstaged changes, or a commit. */
export type DiffAgainst = "HEAD" | "staged" | string;

export interface DiffView {
  /** The repository's folder. */
  readonly repository: string;
  readonly branch?: string;
  readonly against: DiffAgainst;
  readonly files: readonly DiffFile[];
  /** Absolute paths of files that git does not know yet. They are not in `text`. */
  readonly untracked: readonly string[];
  /** A unified diff. */
  readonly text: string;
  /** Whether there are more files or lines than shown. */
  readonly isCut: boolean;
  /** How many changed files are hidden because they usually contain keys or passwords. */
  readonly hidden: number;
}

export interface DiffFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the repository. */
  readonly name: string;
  readonly from?: string;
  /** Line counts; absent for a binary file. */
  readonly added?: number;
  readonly removed?: number;
}
