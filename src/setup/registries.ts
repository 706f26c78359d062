import type { Room } from "../compose/room.ts";
import type { HookCaller } from "../hosts/port/hook-host.ts";
import type { Installer } from "../hosts/port/installer.ts";
import type { ActionGroup, Others } from "../moments/ports/action.ts";
import type { ChatHost } from "../moments/ports/chat.ts";
import type { LoadHistory } from "../moments/ports/history.ts";
import type { Source } from "../moments/ports/source.ts";

/**
 * What commands need to know about all hosts and all sources. `src/entries/registries.ts` provides it, so that no
 * command imports both. Each function loads its code when it is first called, because most commands need only some of
 * it.
 */
export interface Registries {
  /** Past sessions of all hosts. */
  readonly history: LoadHistory;
  readonly sources: () => Promise<readonly Source[]>;
  /** What users and models can do, declared once for all front ends. */
  readonly actions: () => Promise<readonly ActionGroup[]>;
  /** What actions may use of agents and past sessions. */
  readonly others: (world: ServingWorld) => Promise<Others>;
  /** Hosts that `continuo install` knows. */
  readonly installers: () => Promise<readonly Installer[]>;
  /** Other programs that `continuo install` gives the MCP server. */
  readonly mcpClients: () => Promise<readonly Installer[]>;
  /** Hosts that call `continuo hook`. */
  readonly hookHosts: () => Promise<readonly HookCaller[]>;
  /** How much of one output a host shows when a session begins; undefined if it shows everything. */
  readonly openingRoom: (host: string) => Promise<Room | undefined>;
  /** Conversations for the page, with Continuo in each. The second environment is for the process that runs them. */
  readonly chatHost: (env: NodeJS.ProcessEnv, runtimeEnv: () => NodeJS.ProcessEnv) => Promise<ChatHost>;
  /** Runs an MCP server until its client ends it. */
  readonly serveMcp: (env: NodeJS.ProcessEnv, cwd: string) => Promise<void>;
  /** Serves the page of `continuo web` until it is closed, or finds a server that is already running. */
  readonly serveWeb: (world: ServingWorld, options: ServeWebOptions) => Promise<ServedWeb>;
}

export interface ServingWorld extends Registries {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  readonly packageRoot: string;
}

export interface ServeWebOptions {
  /** 0 means any free port. */
  readonly port: number;
}

export interface ServedWeb {
  /** A link that signs the user in once. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** False if another process serves the page. */
  readonly isNew: boolean;
  /** Stops the server; does nothing if it belongs to another process. */
  close(): Promise<void>;
}
