/** `GET /api/connect` */
export interface ConnectList {
  readonly hosts: readonly HostRow[];
  readonly sessions: ImportState;
}

export interface HostRow {
  readonly host: string;
  readonly label: string;
  /** `absent`: neither its program nor its folder is on this machine. `problem`: set up, but not working. */
  readonly state: "connected" | "problem" | "off" | "absent";
  /** What its settings say, and how to fix it; empty if there is nothing to fix. */
  readonly detail: string;
  readonly mend: string;
  /** Where its program is, if it is on the PATH. */
  readonly program?: string;
  /** Its settings files, with `~` for the user's home. */
  readonly files: readonly string[];
}

/** The progress of indexing past sessions. */
export interface ImportState {
  readonly indexed: number;
  readonly isRunning: boolean;
  readonly done: number;
  readonly total: number;
  /** When the index was last complete: milliseconds since 1970, 0 if it never was. */
  readonly indexedAt: number;
}

export type ConnectAction = "connect" | "disconnect";

export interface ConnectPreview {
  readonly host: string;
  readonly label: string;
  readonly action: ConnectAction;
  /** Identifies exactly these edits of exactly these files: `apply` makes only these. */
  readonly plan: string;
  /** Empty if there is nothing to change. */
  readonly files: readonly FileEdit[];
  /** What will happen, in words. */
  readonly words: readonly string[];
}

export interface FileEdit {
  readonly file: string;
  /** The file that is really edited, if `file` is a link. */
  readonly target?: string;
  readonly change: "create" | "edit" | "remove";
  /** A unified diff. Unchanged values are hidden: they may be passwords. */
  readonly diff: string;
  /** What the diff hides; absent if it shows everything. */
  readonly note?: string;
}

export interface Applied {
  readonly message: string;
  readonly files: readonly { readonly file: string; readonly backup: string | null }[];
}
