import type { MomentName } from "../../moments/types.ts";
import type { HookEvent } from "./hook-host.ts";

/** How a host has to call Continuo. */
export interface Wiring {
  /** Absolute path of the runtime: a machine with only a native host may have no `node` on its PATH. */
  readonly runtime: string;
  /** Absolute path of Continuo's script. */
  readonly script: string;
  /** The moments that some source answers: an event that no source answers is not worth a process. */
  readonly answered: ReadonlySet<MomentName>;
  /** A rule may refuse tool calls (`whyGuards`), so Continuo is asked before each. */
  readonly guards: boolean;
  /** How long a moment may take by the user's settings. */
  readonly momentLimitMs?: number;
  /** The host's version, if known. */
  readonly hostVersion?: string;
  /** The MCP entry is installed too. `offIn`: projects in which the user switched the server off. */
  readonly mcp?: { readonly offIn: readonly string[] };
  /** The user asked for Continuo's status line. */
  readonly statusLine?: boolean;
  /** The user allows the model to call Continuo's read-only tools without being asked. */
  readonly allowTools?: boolean;
}

export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** How to fix it; empty when there is nothing to fix. */
  readonly mend: string;
}

/** What the person has to do in the host: what is missing, and how to do it. */
export interface ToDo {
  readonly what: string;
  readonly how: string;
}

/** How many entries of Continuo's a file has, by what they are. */
export interface EntryCounts {
  readonly hooks?: number;
  /** At how many events of the host its hooks are; people read this instead of the number of hooks. */
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
  /** A session gets its first text here. */
  readonly isOpening: boolean;
  readonly entries: number;
  /** How many of them only print parts of a text that is too long for one. */
  readonly further: number;
  /** How many of them only step in where the MCP server does not run. */
  readonly standIns: number;
}

/** Continuo's entries in one settings file. Everything here is pure except `settingsFile`. */
export interface Part {
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** The file's text with Continuo's entries in it and up to date. */
  add(text: string, wiring: Wiring): string;
  /**
   * The file's text without Continuo's entries. `original`: the text before the installation, if it is known. Lists and
   * objects that are empty afterwards stay if they are in it: then they are the user's.
   */
  remove(text: string, original?: string): string;
  /** The text of a file with nothing in it, unless that is an empty object. */
  readonly blank?: string;
  /** What of Continuo's is in the file. */
  count(text: string): EntryCounts;
  /** What `doctor` reports about the file. `exists`: does a path that an entry names exist? */
  inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[];
  /** What `doctor` runs to check that the entries in the file work. */
  probes(text: string): Probe[];
}

/** The port of a host that is set up by its settings: the part that makes it call Continuo, and its MCP entry. */
export interface Installer extends Part {
  /** A host's name, or that of another MCP client (`hosts/mcp/clients.ts`). */
  readonly host: string;
  readonly label: string;
  /** Arguments with which the host's program prints its version, e.g. `["claude", "--version"]`; empty: it is not asked. */
  readonly versionCommand: readonly string[];
  /** The folder that shows that the host is installed, if it is not the folder of its settings file. */
  folder?(env: NodeJS.ProcessEnv): string;
  /** The MCP entry, for hosts that get their tools no other way. It may be in the same file. */
  readonly mcp?: Part;
  /** The projects in which the user switched the MCP server off, by the text of the file with its entry. */
  serverOffIn?(text: string): readonly string[];
  /** What is wrong with these settings in this version of the host, which may not be the one that they were made for. */
  inspectVersion?(
    text: string,
    wiring: Wiring,
    askVersion: () => Promise<string | undefined>,
  ): Promise<Finding[]>;
  /**
   * The file's text with the hooks that are in it in the form that the wiring asks for: commands, or calls of the MCP
   * server. Only where a host's hooks have both forms.
   */
  rewire?(text: string, wiring: Wiring): string;
  /** The hooks in the file, by event. For hosts that call `continuo hook`. */
  hooksIn?(text: string): readonly HooksAt[];
  /** The hook before tool calls, where it is not always installed. Continuo adds it when a rule first refuses calls. */
  readonly guards?: {
    /** The file's text with that hook, and nothing else changed; undefined if Continuo has no hooks in it. */
    add(text: string, wiring: Wiring): string | undefined;
    /** From when on a hook holds that is added while a session runs, such as "from the next session on". */
    readonly holds: string;
  };
  /** For hosts whose status line is a command in their settings. */
  readonly statusLine?: Part;
  /** For hosts that ask before each call of a tool: lets the model call Continuo's read-only tools. On request only. */
  readonly permissions?: Part;
  /** What the person has to do in the host besides. Reads files. `changed`: entries were written just now. */
  besides?(env: NodeJS.ProcessEnv, changed: boolean): readonly ToDo[];
  /** Names of the host's programs, by which a running one is recognised. */
  readonly programs?: readonly string[];
}

export function partsOf(installer: Installer): readonly Part[] {
  const { mcp, statusLine, permissions } = installer;
  return [installer, mcp, statusLine, permissions].filter((part) => part !== undefined);
}

export type Probe =
  /** Run by a shell, as the host does; `true` is the system's default shell, `false` runs the launch without a shell. */
  | {
      readonly kind: "hook";
      readonly command: string;
      /** What the command starts. The command hides errors, so this is run alone to explain a failure. */
      readonly launch: HookLaunch;
      readonly shell: string | boolean;
      /** What the host would send when a session begins in that folder. */
      payload(cwd: string): Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "mcp"; readonly command: string; readonly args: readonly string[] }
  /** A file that the host loads into its own process. `exports` is an expression that tests the default export. */
  | { readonly kind: "module"; readonly path: string; readonly exports: string };

/** What a hook command starts, without the shell around it. */
export interface HookLaunch {
  readonly runtime: string;
  readonly script: string;
  readonly args: readonly string[];
}
