import { workingFolder } from "../../../store/folder.ts";
import { recordFailure } from "../../shared/follow.ts";
import { createBase } from "../../shared/in-process/base.ts";
import type { Client, Config } from "./api.ts";
import { mergeHooks } from "./merge-hooks.ts";
import { createSessionAdapter, type SdkParts } from "./session-adapter.ts";

export interface Options {
  /** The environment for finding Continuo's home, the user's folders and settings (default: the program's own). */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether to offer Continuo's tools to the model (default: true). */
  readonly tools?: boolean;
  /**
   * Prefix of session ids in Continuo's data. Ids from the SDK are unique. A program that chooses its own, such as
   * "main", needs a prefix, so that another program's "main" is a different session.
   */
  readonly idPrefix?: string;
  /** Called with lines for the session's user, such as what was delivered. Models do not get them. */
  readonly onNotice?: (lines: readonly string[], sessionId: string) => void;
}

/**
 * The client's two calls, with Continuo added to each session. The options take precedence over what `load` returns.
 */
export function wrapClient<Create extends object, Resume extends object, Session>(
  client: Client<Create, Resume, Session>,
  options: Options,
  load: () => Promise<SdkParts>,
): Client<Create, Resume, Session> {
  const configure = async <C extends object>(config: C, id: string | undefined): Promise<C> => {
    try {
      const parts = await load();
      const { env = parts.env, idPrefix = "", onNotice } = options;
      const { sessionId, workingDirectory = workingFolder() }: Config = config;
      const own = id ?? sessionId;
      const tools =
        options.tools === false
          ? []
          : await createBase("copilot-sdk", { ...parts, env }).offeredTools(parts.tools, {
              session: { host: "copilot", id: own ?? "" },
              cwd: workingDirectory,
              namesSession: true,
            });
      return configurator({ ...parts, tools, env }, idPrefix, onNotice)(config, id);
    } catch (error) {
      recordFailure(options.env ?? process.env, "copilot-sdk start", error, Date.now());
      return config; // the program gets its session without Continuo
    }
  };
  return {
    createSession: async (config) => client.createSession(await configure(config, undefined)),
    resumeSession: async (id, config) => client.resumeSession(id, await configure(config, id)),
  };
}

/** Adds Continuo to a session's config, with its own adapter for each session. */
export function configurator(parts: SdkParts, idPrefix: string, onNotice?: Options["onNotice"]) {
  return <C extends object>(given: C, resumed: string | undefined): C => {
    const config: Config = given;
    const adapter = createSessionAdapter(parts, {
      id: resumed ?? config.sessionId,
      isResume: resumed !== undefined,
      cwd: config.workingDirectory ?? workingFolder(),
      idPrefix,
      onNotice,
    });
    const added = {
      hooks: mergeHooks(config.hooks, adapter.hooks),
      tools: [...(config.tools ?? []), ...adapter.tools],
      onEvent: (event) => {
        adapter.onEvent(event);
        config.onEvent?.(event);
      },
    } satisfies Config;
    return { ...given, ...added };
  };
}
