import type { HostModels } from "../../models/language-model.ts";
import type { Home } from "../../store/home.ts";
import type { Session } from "../types.ts";
import type { AskUser } from "./form.ts";
import type { LoadHistory } from "./history.ts";

/** A tool that a model may call, described independently of hosts: each host's adapter registers it in its own way. */
export interface ToolDefinition {
  readonly name: string;
  /** What it is called where people see it. No model reads it. */
  readonly title: string;
  /**
   * What a call does to what is stored: nothing, it adds to it, or it can replace or delete. By this, clients decide whether
   * to ask their user first.
   */
  readonly effect: "reads" | "adds" | "replaces";
  /** The description and the schema are sent with every request, so keep both short. */
  readonly description: string;
  /** A JSON schema of type object. */
  readonly parameters: JsonSchema;
  /**
   * Where the text of the answers comes from, such as `the user's notes`: they are then labelled as quoted data. Null if
   * they contain only Continuo's words and the model's own, or label their quotes themselves. They are escaped either way.
   */
  readonly origin: string | null;
  /**
   * How often models need it (default: often). A host that can hold back a tool's schema until the model asks for it does so
   * unless it is needed often; other hosts are not given what is needed rarely.
   */
  readonly need?: "often" | "sometimes" | "rarely";
  /** Whether it has anything to work on, such as notes to search (default: always). Decided once, when the session starts. */
  readonly hasUse?: (place: ToolPlace) => boolean | Promise<boolean>;
  /** The source that it belongs to; filled in when tools are collected. */
  readonly source?: string;
  /** The arguments are unchecked model output. Throws only for bugs. */
  run(args: unknown, call: ToolContext): Promise<ToolAnswer>;
}

/** Where and for whom tools are listed. */
export interface ToolPlace {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: number;
  readonly history: LoadHistory;
  /** The session that they are listed for; undefined if that is not known yet. */
  readonly session?: Session | undefined;
  /** Whether calls say which of the host's sessions they belong to: what is kept for a session is found again only then. */
  readonly namesSession: boolean;
}

export interface JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

export interface ToolAnswer {
  /** False is reported in the host's own form for a failed tool. */
  readonly ok: boolean;
  readonly text: string;
  readonly telemetry?: Readonly<Record<string, unknown>>;
}

export interface ToolContext {
  readonly session: Session;
  readonly cwd: string;
  /** The host's transcript of the session, if the host names it. */
  readonly transcript?: string;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly now: number;
  /** Past sessions of all hosts. */
  readonly history: LoadHistory;
  /** Fires when nobody is waiting for the answer any more; absent if the host has no such signal. */
  readonly signal?: AbortSignal | undefined;
  /** Services of the host; each is absent if the host does not have it. */
  readonly host?: HostServices;
}

/** A note that a host may keep in the session's own file, where no model sees it. */
export interface HostNote {
  readonly type: string;
  readonly data: object;
}

export interface HostServices {
  /** Asks its user, never its model. */
  readonly ask?: AskUser;
  /** The models that its user has logged in to. */
  readonly models?: HostModels;
  /** Keeps a note in the session's own file. */
  readonly note?: (type: HostNote["type"], data: HostNote["data"]) => void;
  /** Names the session in the host's own lists, unless its user named it. */
  readonly nameSession?: (name: string) => void;
}
