import { workingFolder } from "../../../store/working-folder.ts";
import type { Client, Config } from "./api.ts";
import { mergeHooks } from "./merge-hooks.ts";
import { withOurs } from "./system-message.ts";
import type { SdkParts } from "./teller.ts";
import { createThread } from "./thread.ts";
import { sdkTool } from "./tools.ts";

export interface Options {
  /** Where Continuo's home, the user's folders and settings are looked up; the program's own environment by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the model is offered Continuo's tools; true by default. */
  readonly tools?: boolean;
  /**
   * Put before session ids in what Continuo keeps. Ids that the SDK makes are unique; a program that chooses its own, such
   * as "main", gives a prefix so that another program's "main" is another session.
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
  const weave = weaver({ ...parts, tools, env }, idPrefix);
  return {
    createSession: (config) => client.createSession(weave(config, undefined)),
    resumeSession: (id, config) => client.resumeSession(id, weave(config, id)),
  };
}

/** Makes configs with a thread of their own in each. */
export function weaver(parts: SdkParts, idPrefix: string) {
  return <C extends object>(given: C, resumed: string | undefined): C => {
    const config: Config = given;
    const thread = createThread(parts, {
      id: resumed ?? config.sessionId,
      isResume: resumed !== undefined,
      cwd: config.workingDirectory ?? workingFolder(),
      idPrefix,
    });
    const place = { ...parts, cwd: thread.cwd, callerOf: thread.callerOf };
    const ours = {
      hooks: mergeHooks(config.hooks, thread.hooks),
      tools: [...(config.tools ?? []), ...parts.tools.map((tool) => sdkTool(tool, place))],
      systemMessage: withOurs(config.systemMessage),
      onEvent: (event) => {
        thread.onEvent(event);
        config.onEvent?.(event);
      },
    } satisfies Config;
    return { ...given, ...ours };
  };
}
