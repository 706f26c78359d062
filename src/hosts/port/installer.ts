import type { MomentName } from "../../moments/types.ts";
import type { HookEvent } from "./hook-host.ts";

/** How a host calls Continuo. */
export interface Wiring {
  /** Absolute path of the runtime: a machine with only a native host may have no `node` on its PATH. */
  readonly runtime: string;
  /** Absolute path of Continuo's script. */
  readonly script: string;
  /** The moments that some source answers: an event without one is not worth a process. */
  readonly answered: ReadonlySet<MomentName>;
  /** Set if a rule may refuse tool calls (`whyGuards`), so that Continuo must be asked before each. */
  readonly guards: boolean;
  /** The time limit of a moment, according to the user's settings. */
  readonly momentLimitMs?: number;
  /** The host's version, if known. */
  readonly hostVersion?: string;
  /** Set if the MCP entry is installed too. `offIn`: projects in which the user disabled the server. */
  readonly mcp?: { readonly offIn: readonly string[] };
  /** The user asked for Continuo's status line. */
  readonly statusLine?: boolean;
  /** The user allows the model to call Continuo's read-only tools without being asked. */
  readonly allowTools?: boolean;
}

export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** How to fix it; empty if there is nothing to fix. */
  readonly mend: string;
}

/** What the user has to do in the host: what is missing, and how to do it. */
export interface ToDo {
  readonly what: string;
  readonly how: string;
}

/** How many entries Continuo has in a file, by kind. */
export interface EntryCounts {
  readonly hooks?: number;
  /** The number of the host's events that have hooks, which is shown instead of the number of hooks. */
  readonly events?: number;
  readonly servers?: number;
  readonly plugins?: number;
  readonly statusLines?: number;
  readonly permissions?: number;
}

export function hasEntries(counts: EntryCounts): boolean {
  return Object.values(counts).some((many) => many > 0);
}

/** Continuo's hooks at one event of a host. */
export interface HooksAt {
  readonly event: string;
  readonly about: HookEvent;
  /** Whether a session gets its first text at this event. */
  readonly isOpening: boolean;
  readonly entries: number;
  /** How many of them only print further parts of a long text. */
  readonly further: number;
  /** How many of them run only if the MCP server does not. */
  readonly standIns: number;
}

/** Continuo's entries in one settings file. All functions are pure except `settingsFile`. */
export interface Part {
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** The file's text with Continuo's entries added or updated. */
  add(text: string, wiring: Wiring): string;
  /**
   * The file's text without Continuo's entries. `original`: the text before the installation, if known. Lists and
   * objects that become empty stay only if the original has them, because then they are the user's.
   */
  remove(text: string, original?: string): string;
  /** The text of an empty file, if that is not an empty object. */
  readonly blank?: string;
  /** Counts Continuo's entries in the file. */
  count(text: string): EntryCounts;
  /** What `doctor` reports about the file. `exists`: whether a path in an entry exists. */
  inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[];
  /** What `doctor` runs to check that the entries in the file work. */
  probes(text: string): Probe[];
}

/** The port of a host that is set up through its settings: the part that makes it call Continuo, and its MCP entry. */
export interface Installer extends Part {
  /** The name of a host or of another MCP client (`hosts/mcp/clients.ts`). */
  readonly host: string;
  readonly label: string;
  /** The command that prints the program's version, such as `["claude", "--version"]`; empty if there is none. */
  readonly versionCommand: readonly string[];
  /** The folder that shows that the host is installed, if it is not that of its settings file. */
  folder?(env: NodeJS.ProcessEnv): string;
  /** The MCP entry, for hosts that get their tools only that way. It may be in the same file. */
  readonly mcp?: Part;
  /** The projects in which the user disabled the MCP server, from the text of the file with the entry. */
  serverOffIn?(text: string): readonly string[];
  /**
   * What is wrong with these settings for this version of the host, which may differ from the version they were written
   * for.
   */
  inspectVersion?(
    text: string,
    wiring: Wiring,
    askVersion: () => Promise<string | undefined>,
  ): Promise<Finding[]>;
  /**
   * Rewrites the hooks in the file's text into the form that the wiring asks for: commands, or calls of the MCP server.
   * Only for hosts whose hooks have both forms.
   */
  rewire?(text: string, wiring: Wiring): string;
  /** The hooks in the file, by event. For hosts that call `continuo hook`. */
  hooksIn?(text: string): readonly HooksAt[];
  /** The hook before tool calls, if it is not always installed. Continuo adds it when a rule first refuses calls. */
  readonly guards?: {
    /** The file's text with only that hook added; undefined if Continuo has no hooks in the file. */
    add(text: string, wiring: Wiring): string | undefined;
    /** When a hook added during a session takes effect, such as "from the next session on". */
    readonly holds: string;
  };
  /** For hosts whose status line is a command in their settings. */
  readonly statusLine?: Part;
  /** For hosts that ask before each tool call: allows the model to call Continuo's read-only tools. On request only. */
  readonly permissions?: Part;
  /** What else the user has to do in the host. Reads files. `changed`: entries were just written. */
  besides?(env: NodeJS.ProcessEnv, changed: boolean): readonly ToDo[];
  /** Names of the host's programs, by which a running one is recognised. */
  readonly programs?: readonly string[];
}

export function partsOf(installer: Installer): readonly Part[] {
  const { mcp, statusLine, permissions } = installer;
  return [installer, mcp, statusLine, permissions].filter((part) => part !== undefined);
}

export type Probe =
  /**
   * Run by a shell, as the host does. `shell: true` is the system's default shell; `false` runs the launch without one.
   */
  | {
      readonly kind: "hook";
      readonly command: string;
      /** What the command starts. The command hides errors, so this is run by itself to explain a failure. */
      readonly launch: HookLaunch;
      readonly shell: string | boolean;
      /** The payload that the host would send when a session begins in that folder. */
      payload(cwd: string): Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "mcp"; readonly command: string; readonly args: readonly string[] }
  /** A file that the host loads into its own process. `exports` is an expression that tests its default export. */
  | { readonly kind: "module"; readonly path: string; readonly exports: string };

/** What a hook command starts, without the shell around it. */
export interface HookLaunch {
  readonly runtime: string;
  readonly script: string;
  readonly args: readonly string[];
}
