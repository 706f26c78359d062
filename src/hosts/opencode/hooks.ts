import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import type { ToolDefinition } from "../../moments/ports/tool.ts";
import { findHome } from "../../store/home.ts";
import type { Hooks } from "./api.ts";
import { type BenchOptions, createBench } from "./bench.ts";
import { addCommands, runCommand } from "./commands.ts";
import { onEvent } from "./events.ts";
import { correctDefinition, offeredTools } from "./offered-tools.ts";
import { requestHooks } from "./request-hooks.ts";
import { housekeepingPrompts } from "./requests.ts";
import { setAnswered } from "./threads.ts";
import { toolHooks } from "./tool-hooks.ts";

export interface HooksOptions extends BenchOptions {
  readonly tools: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

/** The hooks of one directory. A hook that throws costs the user a turn, so none does, but to stop a tool. */
export function createHooks(options: HooksOptions): Hooks {
  const { now, tools, prompts, env, directory, history } = options;
  const bench = createBench(options);
  const { threads, conductor, jobs, quietly, once } = bench;
  let customPrompts: readonly string[] = [];
  const background = new Set<Promise<unknown>>();

  return {
    ...requestHooks(bench, () => customPrompts),
    ...toolHooks(bench),
    config: async (config) => {
      customPrompts = (await quietly("config", () => housekeepingPrompts(config))) ?? [];
      await quietly("config", () => addCommands(config, prompts));
    },
    event: async ({ event }) => {
      const work = once("event", event, () => onEvent(event, bench));
      background.add(work);
      await work;
      background.delete(work);
    },
    "command.execute.before": ({ command, sessionID, arguments: typed }, { parts }) =>
      once(`/${command}`, parts, () =>
        runCommand(prompts, command, typed, parts, async () => ({
          session: await conductor.sessionOf(threads.of(sessionID)),
          cwd: directory,
          home: findHome(env),
          env,
          now: now(),
          history,
        })),
      ),
    async dispose() {
      await Promise.allSettled(background);
      await jobs.settle();
    },
    tool: offeredTools({ ...options, sessionOf: (id) => conductor.sessionOf(threads.of(id)) }),
    "tool.definition": async ({ toolID }, output) =>
      quietly("tool.definition", () => correctDefinition(tools, toolID, output)),

    "experimental.session.compacting": ({ sessionID }, output) =>
      once("session.compacting", output, async () => {
        const thread = threads.of(sessionID);
        thread.isSummarising = true;
        thread.compactingAt = now();
        const text = await conductor.handOver(thread);
        if (text !== "") output.context.push(text);
      }),

    "experimental.text.complete": ({ sessionID }, output) =>
      once("text.complete", output, () => {
        const thread = threads.known(sessionID);
        if (thread === undefined) return;
        if (!thread.isSummarising) return setAnswered(thread, true);
        thread.isSummarising = false;
        thread.summary = output.text;
      }),
  };
}
