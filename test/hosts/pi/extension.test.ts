import { expect, it } from "vitest";
import type { Pi, PiContext, PiEvent } from "../../../src/hosts/pi/api.ts";
import { wire } from "../../../src/hosts/pi/extension.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { TOOLS } from "../../../src/sources/tools.ts";
import { temporaryWorld } from "../../support/world.ts";

type Handler = (event: PiEvent, ctx: PiContext) => unknown;

function loaded(env: NodeJS.ProcessEnv) {
  const handlers = new Map<string, Handler>();
  const tools: string[] = [];
  const pi: Pi = {
    on: (event, handler) => void handlers.set(event, handler),
    registerTool: (tool) => void tools.push(tool.name),
    registerCommand: () => undefined,
    sendMessage: () => undefined,
  };
  wire(pi, { sources: SOURCES, tools: TOOLS, env, now: Date.now });
  return {
    tools,
    fire: async (name: string, event: PiEvent, ctx: PiContext) => handlers.get(name)?.(event, ctx),
    handlers,
  };
}

function contextIn(cwd: string, branch: unknown[] = []): PiContext {
  return {
    cwd,
    hasUI: false,
    ui: { confirm: async () => false, notify: () => undefined },
    sessionManager: { getSessionId: () => "s1", getSessionFile: () => undefined, getBranch: () => branch },
    isIdle: () => true,
  };
}

it("never fails an event, whatever pi hands over", async () => {
  const { env, root } = temporaryWorld();
  const { handlers } = loaded(env);
  const strange = {
    prompt: 7,
    text: null,
    messages: "no",
    preparation: 3,
    compactionEntry: null,
    toolName: {},
    input: [],
  };
  for (const handler of handlers.values()) {
    for (const event of [{}, strange]) {
      for (const ctx of [undefined, {}, contextIn(root, [null, 1, { type: "compaction" }])])
        await handler(event, ctx as PiContext); // what it answers may be a note about the failures
    }
  }
});

it("offers its tools once, though RPC mode starts a session twice", async () => {
  const { env, root } = temporaryWorld();
  const { fire, tools } = loaded(env);
  const ctx = contextIn(root);
  expect(tools).toEqual([]); // two copies with tools of one name would keep pi from starting
  await fire("session_start", { reason: "startup" }, ctx);
  await fire("session_start", { reason: "startup" }, ctx);
  expect(tools).toEqual(TOOLS.map((tool) => tool.name));
});

it("lets one of two copies answer, and the next one after the session's end", async () => {
  const { env, root } = temporaryWorld({ ".continuo/rules/a.md": "MARK" });
  const [first, second] = [loaded(env), loaded(env)];
  const ctx = contextIn(root);
  const answers = [];
  for (const copy of [first, second])
    answers.push(await copy.fire("before_agent_start", { prompt: "hi" }, ctx));
  expect(answers.map((answer) => answer !== undefined)).toEqual([true, false]);
  expect(JSON.stringify(answers[0])).toContain("MARK");
  await first.fire("session_shutdown", { reason: "reload" }, ctx);
  expect(await second.fire("before_agent_start", { prompt: "hi" }, ctx)).toEqual(answers[0]);
});
