import type { HostModels } from "../../models/language-model.ts";
import type { Home } from "../../store/home.ts";
import type { Session } from "../types.ts";
import type { AskUser } from "./form.ts";
import type { LoadHistory } from "./history.ts";

/** A tool that a model may call, independent of hosts: each host's adapter registers it in its own way. */
export interface ToolDefinition {
  readonly name: string;
  /** Its name for users. No model reads it. */
  readonly title: string;
  /**
   * What a call does to stored data: nothing, adds to it, or may replace or delete it. Clients use this to decide
   * whether to ask the user first.
   */
  readonly effect: "reads" | "adds" | "replaces";
  /** The description and the schema are sent with every request, so keep both short. */
  readonly description: string;
  /** A JSON schema of type object. */
  readonly parameters: JsonSchema;
  /**
   * Where the text of the answers comes from, such as `the user's notes`: they are then labelled as quoted data. Null
   * if they contain only Continuo's words and the model's own, or label their quotes themselves. They are escaped
   * either way.
   */
  readonly origin: string | null;
  /**
   * How often models need it (default: often). A host that can defer a tool's schema until the model asks for it does
   * so unless it is needed often; other hosts do not get tools that are rarely needed.
   */
  readonly need?: "often" | "sometimes" | "rarely";
  /** Whether it has anything to work on, such as notes to search (default: always). Decided once, when the session starts. */
  readonly hasUse?: (place: ToolPlace) => boolean | Promise<boolean>;
  /** The source that it belongs to; filled in when tools are collected. */
  readonly source?: string;
  /** The arguments are unchecked model output. Throws only for bugs. */
  run(args: unknown, call: ToolContext): Promise<ToolAnswer>;
}

/** The place and session for which tools are listed. */
export interface ToolPlace {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: number;
  readonly history: LoadHistory;
  /** The session for which they are listed; undefined if not known yet. */
  readonly session?: Session | undefined;
  /** Whether calls name the session that they belong to: otherwise data stored for a session cannot be found again. */
  readonly namesSession: boolean;
}

export interface JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

export interface ToolAnswer {
  /** False is reported in the host's form for a failed tool. */
  readonly ok: boolean;
  readonly text: string;
  readonly telemetry?: Readonly<Record<string, unknown>>;
}

export interface ToolContext {
  readonly session: Session;
  readonly cwd: string;
  /** The host's transcript of the session, if known. */
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

/** A note that a host may store in the session's own file, where no model sees it. */
export interface HostNote {
  readonly type: string;
  readonly data: object;
}

export interface HostServices {
  /** Asks the user, never the model. */
  readonly ask?: AskUser;
  /** The models that the user has logged in to. */
  readonly models?: HostModels;
  /** Stores a note in the session's own file. */
  readonly note?: (type: HostNote["type"], data: HostNote["data"]) => void;
  /** Names the session in the host's own lists, unless the user named it. */
  readonly nameSession?: (name: string) => void;
}
