/** One request of a host to its model, in a form that all hosts share. */
export interface SeenRequest {
  readonly kind: "main" | "title" | "compaction" | "child" | "other";
  /** Everything the model gets as text: system, then conversation, in order, results of tools included. */
  readonly text: string;
  /** The request in the units that a provider caches, in order: tools, system, each message, without cache markers. */
  readonly units: readonly string[];
  /** The names of all tools that the model may call, as it sees them. */
  readonly tools: readonly string[];
  /** Those tools as they are in the request: names, descriptions and schemas, as JSON. */
  readonly definitions: readonly string[];
}

/** What the fake model does in its next turns; by default it answers with a short text. */
export type ScriptedReply =
  | { readonly text: string }
  | { readonly read: string }
  /** Writes a file that does not exist yet. */
  | { readonly edit: string; readonly content: string }
  | { readonly shell: string }
  | { readonly delegate: string }
  /** One of Continuo's tools, by its own name. */
  | { readonly call: string; readonly input: Record<string, unknown> };

/**
 * How Continuo can fail: it throws, exits with the code that refuses a prompt, prints what is not an answer, hangs, is
 * killed while writing; its package or its runtime is missing.
 */
export type Sabotage = "throws" | "refuses" | "garbage" | "hangs" | "killed" | "gone" | "no runtime";

/**
 * The real program, with its own home, project and fake model. A turn in an existing session is a resume in a new process.
 */
export interface HostDriver {
  /** The host's name for `continuo install`. */
  readonly hostName: string;
  readonly project: string;
  /** The environment of the same user's command line. */
  readonly env: Readonly<Record<string, string>>;
  /** The only addresses that it may connect to: its model, and itself if it is a server. */
  addresses(): Promise<readonly string[]>;
  /** Runs one prompt to its end in a new session, or in the given one; `session` names it from then on. */
  turn(
    prompt: string,
    options?: { session?: string; replies?: readonly ScriptedReply[] },
  ): Promise<{ session: string; requests: readonly SeenRequest[] }>;
  /** Makes the host compact the session now, and returns its requests. */
  compact(session: string): Promise<readonly SeenRequest[]>;
  /** One turn with an automatic compaction, in mid-turn if the host does that. */
  overflow(session: string): Promise<readonly SeenRequest[]>;
  /**
   * Begins a session with these prompts as a person does: what the host showed them, and what the model got. `replies`: to
   * the first prompt.
   */
  watch?(
    prompts: readonly string[],
    replies?: readonly ScriptedReply[],
  ): Promise<{ shown: string; requests: readonly SeenRequest[] }>;
  /** The person accepts the only suggestion that waits, inside the host. */
  decide?(): Promise<readonly SeenRequest[]>;
  /** The failures that this host can meet, except "killed". */
  readonly sabotages: readonly Sabotage[];
  sabotage(how: Sabotage): Promise<void>;
  /** From now on, strace records the network calls of processes that run Continuo, in files in this folder. */
  trace(folder: string): Promise<void>;
  dispose(): Promise<void>;
}
