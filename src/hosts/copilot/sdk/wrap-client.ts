import { workingFolder } from "../../../store/folder.ts";
import type { Client, Config, SystemMessage } from "./api.ts";
import { mergeHooks } from "./merge-hooks.ts";
import { createSessionAdapter, type SdkParts } from "./session-adapter.ts";

export interface Options {
  /** Where Continuo's home, the user's folders and settings are looked up (default: the program's own environment). */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the model is offered Continuo's tools (default: true). */
  readonly tools?: boolean;
  /**
   * Put before session ids in what Continuo stores. Ids that the SDK makes are unique. A program that chooses its own, such
   * as "main", gives a prefix, so that another program's "main" is another session.
   */
  readonly idPrefix?: string;
}

/** The client's two calls with Continuo in each session. The options win over `parts`. */
export function wrapClient<Create extends object, Resume extends object, Session>(
  client: Client<Create, Resume, Session>,
  options: Options,
  parts: SdkParts,
): Client<Create, Resume, Session> {
  const { env = parts.env, idPrefix = "" } = options;
  const tools = options.tools === false ? [] : parts.tools;
  const configure = configurator({ ...parts, tools, env }, idPrefix);
  return {
    createSession: (config) => client.createSession(configure(config, undefined)),
    resumeSession: (id, config) => client.resumeSession(id, configure(config, id)),
  };
}

/** Adds Continuo to a session's config, with an adapter of its own for each session. */
export function configurator(parts: SdkParts, idPrefix: string) {
  return <C extends object>(given: C, resumed: string | undefined): C => {
    const config: Config = given;
    const adapter = createSessionAdapter(parts, {
      id: resumed ?? config.sessionId,
      isResume: resumed !== undefined,
      cwd: config.workingDirectory ?? workingFolder(),
      idPrefix,
    });
    const added = {
      hooks: mergeHooks(config.hooks, adapter.hooks),
      tools: [...(config.tools ?? []), ...adapter.tools],
      systemMessage: withContinuos(config.systemMessage),
      onEvent: (event) => {
        adapter.onEvent(event);
        config.onEvent?.(event);
      },
    } satisfies Config;
    return { ...given, ...added };
  };
}

/**
 * A constant: the system message of a resume replaces the one before it, and a byte that differs would cost the whole
 * cached prefix.
 */
export const SYSTEM_MESSAGE =
  "Blocks <continuo> and <continuo-addition> come from Continuo, which keeps this session's thread for the user. " +
  "Each section says whether it is to be followed or is only data. A later block adds to the earlier ones, and wins where they differ.";

/** Continuo's after the program's own, whose mode stays. */
export function withContinuos(given: SystemMessage | undefined): SystemMessage {
  const parts = [given?.content, SYSTEM_MESSAGE].filter((part) => part !== undefined && part !== "");
  return { ...given, content: parts.join("\n\n") };
}
