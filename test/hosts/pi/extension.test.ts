import { expect, it } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { Pi, PiCommand, PiCompletions, PiContext, PiEvent } from "../../../src/hosts/pi/api.ts";
import { wire } from "../../../src/hosts/pi/extension.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { readHealth } from "../../../src/store/health.ts";
import { findHome } from "../../../src/store/home.ts";
import { exampleSeed, parsed, proposal } from "../../sources/profile/seeds.ts";
import { OFFERED } from "../../support/offered.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const { tools: TOOLS, offers: OFFERS } = OFFERED;

type Handler = (event: PiEvent, ctx: PiContext) => unknown;

function loaded(env: NodeJS.ProcessEnv) {
  const handlers = new Map<string, Handler>();
  const tools: string[] = [];
  const commands: ({ name: string } & PiCommand)[] = [];
  const entries: unknown[] = [];
  const pi: Pi = {
    on: (event, handler) => void handlers.set(event, handler),
    registerTool: (tool) => void tools.push(tool.name),
    registerCommand: (name, command) => void commands.push({ name, ...command }),
    sendMessage: () => undefined,
    appendEntry: (type, data) => void entries.push({ type, data }),
  };
  wire(pi, { sources: SOURCES, tools: TOOLS, offers: OFFERS, history: loadHistory, env, now: Date.now });
  return {
    tools,
    commands,
    entries,
    fire: async (name: string, event: PiEvent, ctx: PiContext) => handlers.get(name)?.(event, ctx),
    handlers,
  };
}

function contextIn(cwd: string, branch: unknown[] = []): PiContext {
  return {
    cwd,
    hasUI: false,
    ui: { confirm: async () => false, notify: () => undefined },
    sessionManager: {
      getSessionId: () => "s1",
      getSessionFile: () => undefined,
      getBranch: () => branch,
      getEntries: () => branch,
    },
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
        await handler(event, ctx as PiContext); // the answer may be a note about the failures
    }
  }
});

it("offers its tools once, though RPC mode starts a session twice", async () => {
  const { env, root, home } = temporaryWorld();
  write(home.root, { "config.json": '{"tools": "all"}' });
  const { fire, tools } = loaded(env);
  const ctx = contextIn(root);
  expect(tools).toEqual([]); // pi would not start with two copies that have tools of one name
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

it("gives a rule for a file with the prompt that mentions it, the first one or a later one, once", async () => {
  const rule = "---\nglobs: '*.ts'\n---\nMARK-T";
  const first = temporaryWorld({ ".continuo/rules/t.md": rule, "x.ts": "" });
  const begin = (prompt: string) =>
    loaded(first.env).fire("before_agent_start", { prompt }, contextIn(first.root));
  expect(JSON.stringify(await begin("see @x.ts"))).toContain("MARK-T");
  const later = temporaryWorld({ ".continuo/rules/t.md": rule, "x.ts": "" });
  const { fire } = loaded(later.env);
  const say = async (prompt: string) =>
    JSON.stringify(await fire("before_agent_start", { prompt }, contextIn(later.root))) ?? "";
  expect(await say("hello @none.ts")).not.toContain("MARK-T");
  expect(await say(`<file name="${later.root}/x.ts">\n\n</file>\nexplain it`)).toContain("MARK-T");
  expect(await say("see @x.ts")).not.toContain("MARK-T");
});

it("gives an edited rule once, also when later processes go on with the session", async () => {
  const world = temporaryWorld({ ".continuo/rules/a.md": "MARK-A" });
  const branch: unknown[] = [];
  const say = async (prompt: string) => {
    const { fire } = loaded(world.env);
    const answer = await fire("before_agent_start", { prompt }, contextIn(world.root, branch));
    const { message } = (answer ?? {}) as { message?: object };
    branch.push({ type: "message", message: { role: "user", content: prompt } });
    if (message !== undefined) branch.push({ type: "custom_message", ...message });
    return JSON.stringify(message ?? "");
  };
  expect(await say("hello")).toContain("MARK-A");
  write(world.root, { ".continuo/rules/a.md": "MARK-A, edited" });
  const given = [await say("one"), await say("two"), await say("three")];
  expect(given.map((text) => text.split("MARK-A").length - 1)).toEqual([1, 0, 0]);
});

/** A screen that keeps what it is given. */
function screenIn(cwd: string) {
  const seen = {
    status: [] as (string | undefined)[],
    told: [] as string[],
    providers: [] as PiCompletions[],
  };
  const base: PiCompletions = {
    getSuggestions: async () => ({ prefix: "@", items: [] }),
    applyCompletion: () => "applied by pi",
  };
  const ui: PiContext["ui"] = {
    confirm: async () => false,
    notify: (message) => void seen.told.push(message),
    setStatus: (_key, text) => void seen.status.push(text),
    addAutocompleteProvider: (make) => void seen.providers.push(make(base)),
  };
  return { ...seen, ctx: { ...contextIn(cwd), hasUI: true, ui } };
}

it("puts commands, completions and a status line at pi's prompt, once", async () => {
  const { env, root } = temporaryWorld({ ".continuo/rules/a.md": "MARK" });
  const { fire, commands } = loaded(env);
  const { ctx, status, told, providers } = screenIn(root);
  for (const reason of ["startup", "startup"]) await fire("session_start", { reason }, ctx);
  expect(commands.map((one) => one.name)).toEqual([
    "continuo-why",
    "continuo-sets",
    "continuo-recall",
    "continuo-ask",
    "continuo-handoff",
    "index-session",
    "continuo-review",
    "continuo",
  ]);
  expect(providers).toHaveLength(1);

  const [why, sets] = commands;
  await sets?.handler("ports 8080", ctx);
  expect(await sets?.getArgumentCompletions?.("po")).toMatchObject([{ value: "ports", description: "8080" }]);
  expect(await providers[0]?.getSuggestions(["open #po"], 0, 8, {})).toMatchObject({
    prefix: "#po",
    items: [{ value: "8080", label: "#ports" }],
  });
  expect(await providers[0]?.getSuggestions(["open @po"], 0, 8, {})).toEqual({ prefix: "@", items: [] });
  expect(providers[0]?.applyCompletion()).toBe("applied by pi");

  await fire("before_agent_start", { prompt: "hi" }, ctx);
  expect(told.at(-1)).toMatch(/^Continuo: 1 rule \(\d+ tokens\)$/);
  await expect.poll(() => status.at(-1)).toMatch(/^continuo: \d+ tokens$/);
  await why?.handler("", ctx);
  expect(told.at(-1)).toContain("1 delivery");
});

it("decides on suggestions with pi's own dialogs; Esc decides nothing", async () => {
  const { env, root } = temporaryWorld();
  const proposals = ["Use pnpm", "Tests first"].map((text, i) => proposal(`p${i}`, text));
  const path = `${env["HOME"]}/.pai/seed.json`;
  write(`${env["HOME"]}/.pai`, { "seed.json": JSON.stringify(exampleSeed({ state: { proposals } })) });
  const { fire, commands } = loaded(env);
  const screen = screenIn(root);
  const asked: string[] = [];
  const said = ["edit", undefined];
  const select = async (title: string, options: string[]) => {
    asked.push(`${title.split("\n")[0]} ${options.join(" ")}`);
    return said.shift();
  };
  const editor = async (_title: string, text?: string) => `${text} only`;
  const ctx = { ...screen.ctx, ui: { ...screen.ctx.ui, select, editor } };
  await fire("session_start", { reason: "startup" }, ctx);
  const run = async () => {
    await commands.find(({ name }) => name === "continuo-review")?.handler("", ctx);
    return screen.told.at(-1);
  };
  expect(await run()).toMatch(
    /^Accepted "Use pnpm only"\nA learning that you accept applies.*\n1 suggestion left to review\.$/,
  );
  expect(asked).toEqual(['"Use pnpm" accept edit reject later', '"Tests first" accept edit reject later']);
  expect(parsed(path).learned.patterns.map((one) => one.content)).toEqual(["Use pnpm only"]);
  expect(await run()).toBe("Nothing was decided. 1 suggestion left to review.");
  await expect.poll(() => screen.status.at(-1)).toBe("continuo: 1 suggestion");
});

it("warns once when none of the configured models can be used, and records it where there is no screen", async () => {
  const { env, root, home } = temporaryWorld();
  const named = (modelKeys: string[]) =>
    write(home.root, { "config.json": JSON.stringify({ sources: { sessions: { modelKeys } } }) });
  const find = (provider: string, id: string) => (`${provider}/${id}` === "fake/cheap" ? {} : undefined);
  const modelRegistry = { find, getApiKeyAndHeaders: async () => ({ ok: true as const }) };
  const failures = () => readHealth(home.logs).records.map((one) => one.message);
  const started = async (screen: boolean, isWarned = true) => {
    const { ctx, told } = screenIn(root);
    const { fire } = loaded(env);
    const at = { ...ctx, hasUI: screen, modelRegistry };
    for (const reason of ["startup", "startup"]) await fire("session_start", { reason }, at);
    if (isWarned) await expect.poll(() => told.length + failures().length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 100)); // for a second warning, which must not come
    await fire("session_shutdown", {}, at);
    return told;
  };

  named(["gemini-flash", "other/cheap"]);
  expect(await started(true)).toEqual([
    expect.stringMatching(/^Continuo: no model in modelKeys.*"gemini-flash" names no/),
  ]);
  expect(failures()).toEqual([]);
  expect(await started(false)).toEqual([]);
  expect(failures()).toEqual([expect.stringContaining("no model in modelKeys can be used")]);
  named(["other/cheap", "fake/cheap"]);
  expect(await started(true, false)).toEqual([]);
});

it("waits until the agent is idle before it indexes the session, and for no other command", async () => {
  const { env, root } = temporaryWorld();
  const { fire, commands } = loaded(env);
  const { ctx, told } = screenIn(root);
  await fire("session_start", { reason: "startup" }, ctx);
  let waited = 0;
  const waiting = { ...ctx, waitForIdle: async () => void waited++ };
  for (const { handler } of commands) await handler("", waiting);
  expect(told).toHaveLength(commands.length);
  expect(waited).toBe(1);
});

it("works without a screen, or without parts of one", async () => {
  const { env, root } = temporaryWorld();
  const { fire, commands } = loaded(env);
  await fire("session_start", { reason: "startup" }, { ...contextIn(root), hasUI: true });
  expect(commands.length).toBeGreaterThan(0);
  await fire("agent_end", {}, contextIn(root));
  await fire("session_shutdown", {}, contextIn(root));
  expect(readHealth(findHome(env).logs).records.filter((one) => one.where.startsWith("pi"))).toEqual([]);
});

it("notes deliveries in pi's session file, without their text, unless that is turned off", async () => {
  for (const sessionEntries of [true, false]) {
    const { env, root, home } = temporaryWorld({ ".continuo/rules/a.md": "MARK" });
    write(home.root, { "config.json": JSON.stringify({ sessionEntries }) });
    const { fire, entries } = loaded(env);
    const ctx = contextIn(root);
    await fire("before_agent_start", { prompt: "hi" }, ctx);
    for (const event of ["agent_end", "agent_settled", "session_shutdown"]) await fire(event, {}, ctx);
    const deliveries = [{ event: "before_agent_start", tokens: expect.any(Number) }];
    expect(entries).toMatchObject(sessionEntries ? [{ type: "continuo", data: { deliveries } }] : []);
    expect(JSON.stringify(entries)).not.toContain("MARK");
  }
});
