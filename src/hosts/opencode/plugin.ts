import { findProject } from "../../moments/project/project.ts";
import { recordFailure } from "../shared/follow.ts";
import { createBase, type Parts } from "../shared/in-process/base.ts";
import { planReadAhead } from "../shared/in-process/read-ahead.ts";
import type { Hooks, PluginInput } from "./api.ts";
import { createToast, showLines } from "./client.ts";
import { addCommands, runCommand } from "./commands.ts";
import { createJobs, lifecycleHooks } from "./lifecycle-hooks.ts";
import { housekeepingPrompts } from "./messages.ts";
import { createOwnMessage } from "./own-message.ts";
import { requestHooks, toolHooks } from "./request-hooks.ts";
import { createSessionAdapter } from "./session-adapter.ts";
import { lacksPackage } from "./settings-folder.ts";
import { correctDefinition, offeredTools } from "./tools.ts";

export interface Plugin {
  readonly id: string;
  server(input: PluginInput): Promise<Partial<Hooks>>;
}

/**
 * Loaded by OpenCode. The start asks nothing of the host, which does not answer a plugin before this has returned. If
 * the start failed, the host would drop the plugin without telling the user, so the failure is recorded.
 */
export function createPlugin(load: () => Promise<Parts>): Plugin {
  return {
    id: "continuo",
    async server(input) {
      try {
        const { client, directory } = input;
        const parts = await load();
        // OpenCode lists tools once per process, and passes the session's id with each call.
        const tools = await createBase("opencode", parts).offeredTools(parts.tools, {
          cwd: directory,
          namesSession: true,
        });
        planReadAhead(parts, () => ({
          session: { host: "opencode", id: "read-ahead" },
          project: findProject(directory),
          cwd: directory,
        }));
        return createHooks({ client, directory, ...parts, tools });
      } catch (error) {
        recordFailure(process.env, "opencode start", error, Date.now());
        return {};
      }
    },
  };
}

/** Reading an answer to a command takes longer than reading a line. */
const ANSWER_MS = 20_000;

/** The hooks of one directory. A hook that throws would cost the user a turn, so they throw only to stop a tool. */
export function createHooks(options: Parts & PluginInput): Hooks {
  const { now, tools, prompts } = options;
  const adapter = createSessionAdapter(options);
  const { quietly, once } = adapter;
  const ownMessage = createOwnMessage(options);
  const toast = createToast(options);
  let customPrompts: readonly string[] = [];

  return {
    ...requestHooks({
      adapter,
      ownMessage,
      toast,
      customPrompts: () => customPrompts,
      toolNames: tools.map((tool) => tool.name),
    }),
    ...toolHooks(adapter),
    ...lifecycleHooks({
      adapter,
      ownMessage,
      toast,
      jobs: createJobs(options),
      now,
      mustLeave: () => lacksPackage(options.env, options.directory),
    }),
    config: async (config) => {
      customPrompts = (await quietly("config", () => housekeepingPrompts(config))) ?? [];
      await quietly("config", () => addCommands(config, prompts));
    },
    "command.execute.before": async ({ command, sessionID, arguments: typed }, { parts }) => {
      let answer: string | undefined;
      await once(`/${command}`, parts, async () => {
        answer = await runCommand(prompts, command, typed, parts, () => adapter.toolContext(sessionID));
      });
      if (answer === undefined) return;
      showLines(options, [answer], ANSWER_MS);
      // Only an error ends the turn before a model is asked. The TUI does not show it; `opencode run` prints it.
      throw new Error(answer);
    },
    tool: offeredTools(tools, adapter.toolContext),
    "tool.definition": async ({ toolID }, output) =>
      quietly("tool.definition", () => correctDefinition(tools, toolID, output)),
  };
}
