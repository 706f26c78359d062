import type { MomentName } from "../../moments/types.ts";
import type { HostName } from "../names.ts";
import type { HookLaunch } from "../shared/install/hook-command.ts";

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
  /** How long a moment may take by the user's settings, which may be longer than usual. */
  readonly momentLimitMs?: number;
  /** The host's version, where it could be found out. */
  readonly hostVersion?: string;
}

export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** How to mend it; empty when there is nothing to mend. */
  readonly mend: string;
}

/** Something of ours in one settings file. Everything here is pure but `settingsFile`. */
export interface Part {
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** The file's text with our entries in it, brought up to date; the same text when they are. */
  add(text: string, wiring: Wiring): string;
  /** The file's text without any entry of ours. */
  remove(text: string): string;
  /** What `doctor` says about the file. `exists` tells whether a path that an entry names is there. */
  inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[];
  /** What `doctor` runs to see that our entries work, as they stand in the file. */
  probes(text: string): Probe[];
}

/** The port of a host that is wired by its settings: the part that makes it call us, and where its tools come from. */
export interface Installer extends Part {
  readonly host: HostName;
  readonly label: string;
  /** Arguments with which the host's program prints its version, e.g. `["claude", "--version"]`. */
  readonly versionCommand: readonly string[];
  /** The folder by which the host is known to be here, where the one of its settings file would not tell. */
  folder?(env: NodeJS.ProcessEnv): string;
  /** The MCP entry, in hosts that take tools no other way. It may stand in the same file. */
  readonly mcp?: Part;
}

export function partsOf(installer: Installer): readonly Part[] {
  return installer.mcp === undefined ? [installer] : [installer, installer.mcp];
}

export type Probe =
  /** Run by a shell, as the host does; `true` is the system's usual one, `false` runs the launch without any. */
  | {
      readonly kind: "hook";
      readonly command: string;
      /** What the command starts. Its guard hides why it fails, so a failure is explained by running this alone. */
      readonly launch: HookLaunch;
      readonly shell: string | boolean;
      /** What the host would send if a session began in that folder. */
      payload(cwd: string): Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "mcp"; readonly command: string; readonly args: readonly string[] }
  /** A file that the host loads into its own process. `exports` is a test of the default export, as an expression. */
  | { readonly kind: "module"; readonly path: string; readonly exports: string };
