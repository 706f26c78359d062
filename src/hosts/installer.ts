import type { HostName, MomentName } from "../moments/types.ts";

/** How a host is told to call us. */
export interface Wiring {
  /** Absolute path of the runtime: a machine with only a native host may have no `node` on its PATH. */
  readonly runtime: string;
  /** Absolute path of our command line's script. */
  readonly script: string;
  /** The moments that some source answers: an event that nobody answers is not worth a process. */
  readonly answered: ReadonlySet<MomentName>;
  /** The user trusts a project, so guards are asked before tool calls. */
  readonly guards: boolean;
  /** The host's version, where it could be found out. */
  readonly hostVersion?: string;
}

export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** How to mend it; empty when there is nothing to mend. */
  readonly mend: string;
}

/** The port of a host that is wired by editing one settings file. Everything here is pure but `settingsFile`. */
export interface Installer {
  /** Arguments with which the host's program prints its version, e.g. `["claude", "--version"]`. */
  readonly versionCommand: readonly string[];
  readonly host: HostName;
  readonly label: string;
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** The file's text with our entries in it, brought up to date; the same text when they are. */
  add(text: string, wiring: Wiring): string;
  /** The file's text without any entry of ours. */
  remove(text: string): string;
  /** What `doctor` says about the file. `exists` tells whether a path that an entry names is there. */
  inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[];
}
