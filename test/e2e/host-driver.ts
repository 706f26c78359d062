/** One request that a host sent to its model, in the words that all hosts share. */
export interface SeenRequest {
  readonly kind: "main" | "title" | "compaction" | "child" | "other";
  /** Everything the model gets as text: system, then conversation, in order, results of tools included. */
  readonly text: string;
  /** The request in the units that a provider caches, in order: tools, system, each message, without cache markers. */
  readonly units: readonly string[];
  /** The names of all tools that the model may call, as it knows them. */
  readonly tools: readonly string[];
}

/** What the fake model does at its next turns; without any it answers with a short text. */
export type ScriptedReply =
  | { readonly text: string }
  | { readonly read: string }
  | { readonly delegate: string }
  /** One of our tools, by our name for it. */
  | { readonly call: string; readonly input: Record<string, unknown> };

/**
 * How we can fail a host: by throwing, by ending with the code that refuses a prompt, by printing what is no answer, by
 * not coming back, by dying in mid-write; without our package, without its runtime.
 */
export type Sabotage = "throws" | "refuses" | "garbage" | "hangs" | "killed" | "gone" | "no runtime";

/**
 * The real program, with a home, a project and a fake model of its own. A turn in a session that exists is a resume in
 * a new process.
 */
export interface HostDriver {
  /** What `continuo install` calls the host. */
  readonly hostName: string;
  readonly project: string;
  /** What a command line of the same user has. */
  readonly env: Readonly<Record<string, string>>;
  /** The only places that it may connect to: its model, and itself where it is a server. */
  addresses(): Promise<readonly string[]>;
  /** Runs one prompt to its end in a new session, or in the given one; `session` names it from then on. */
  turn(
    prompt: string,
    options?: { session?: string; replies?: readonly ScriptedReply[] },
  ): Promise<{ session: string; requests: readonly SeenRequest[] }>;
  /** Makes the host compact the session now; its requests too. */
  compact(session: string): Promise<readonly SeenRequest[]>;
  /** One turn in which the host compacts of its own accord, in the middle of it where the host does that. */
  overflow(session: string): Promise<readonly SeenRequest[]>;
  /** Those that this host can meet, "killed" aside. */
  readonly sabotages: readonly Sabotage[];
  sabotage(how: Sabotage): Promise<void>;
  /** From now on the processes that run our code write their network calls into files in this folder, by strace. */
  trace(folder: string): Promise<void>;
  dispose(): Promise<void>;
}
