import type { HostModels } from "../../models/port.ts";
import type { Home } from "../../store/home.ts";
import type { Session } from "../types.ts";
import type { LoadHistory } from "./history.ts";

/** A tool that a model may call, described without any host's words: each host's adapter registers it in its own way. */
export interface ToolDefinition {
  readonly name: string;
  /** Both this and the schema are sent with every request: short is cheap. */
  readonly description: string;
  /** A JSON schema of type object. */
  readonly parameters: JsonSchema;
  /**
   * Whose words the answers hold, such as `the user's notes`: they are then labelled as quoted data. Null where they hold
   * only ours and what the model itself gave, or say themselves what they quote. Either way they are escaped.
   */
  readonly origin: string | null;
  /** The arguments are what the model wrote, unchecked. Throws only for bugs. */
  run(args: unknown, call: ToolContext): Promise<ToolAnswer>;
}

export interface JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

export interface ToolAnswer {
  /** False is told in the host's own way of saying that a tool failed. */
  readonly ok: boolean;
  readonly text: string;
  readonly telemetry?: Readonly<Record<string, unknown>>;
}

export interface ToolContext {
  readonly session: Session;
  readonly cwd: string;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly now: number;
  /** Past sessions of all hosts. */
  readonly history: LoadHistory;
  /** Fires when nobody waits for the answer any more; absent where the host does not tell. */
  readonly signal?: AbortSignal | undefined;
  /** What the host can do for whoever was called; each absent where it cannot. */
  readonly host?: HostServices;
}

/** What a host may keep in the session's own file, where no model sees it. */
export interface HostNote {
  readonly type: string;
  readonly data: object;
}

export interface HostServices {
  /** The models that its user has logged in to. */
  readonly models?: HostModels;
  /** Keeps a note in the session's own file. */
  readonly note?: (type: HostNote["type"], data: HostNote["data"]) => void;
  /** Gives the session a name in the host's own lists, unless its user gave one. */
  readonly nameSession?: (name: string) => void;
}
