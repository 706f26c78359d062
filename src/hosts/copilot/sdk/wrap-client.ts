import { SOURCES } from "../../../sources/index.ts";
import { TOOLS } from "../../../sources/tools.ts";
import { workingFolder } from "../../../store/working-folder.ts";
import { loadHistory } from "../../load-history.ts";
import type { Client, Config } from "./api.ts";
import { mergeHooks } from "./merge-hooks.ts";
import { withOurs } from "./system-message.ts";
import type { Parts } from "./teller.ts";
import { createThread } from "./thread.ts";
import { sdkTool } from "./tools.ts";

export type { Client } from "./api.ts";
export { mergeHooks } from "./merge-hooks.ts";

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

/**
 * `continuo/copilot`: the two calls of a `CopilotClient` that begin a session, with Continuo in it. What the program's
 * config says stays in force: its hooks are called too, its tools come first, its system message is added to.
 */
export function continuo<Create extends object, Resume extends object, Session>(
  client: Client<Create, Resume, Session>,
  options: Options = {},
): Client<Create, Resume, Session> {
  const { env = process.env } = options;
  const tools = options.tools === false ? [] : TOOLS;
  const weave = weaver(
    { sources: SOURCES, history: loadHistory, tools, env, now: Date.now },
    options.idPrefix ?? "",
  );
  return {
    createSession: (config) => client.createSession(weave(config, undefined)),
    resumeSession: (id, config) => client.resumeSession(id, weave(config, id)),
  };
}

/** Makes configs with a thread of their own in each. */
export function weaver(parts: Parts, idPrefix: string) {
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
