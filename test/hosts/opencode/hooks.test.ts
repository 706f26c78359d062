import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { Client, Hooks, Message, Part } from "../../../src/hosts/opencode/api.ts";
import { createHooks } from "../../../src/hosts/opencode/plugin.ts";
import type { Offer } from "../../../src/moments/ports/offer.ts";
import type { Source } from "../../../src/moments/ports/source.ts";
import { rules } from "../../../src/sources/rules/source.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const RULES = { ".continuo/rules/a.md": "MARK-A", ".continuo/rules/t.md": "---\nglobs: '*.ts'\n---\nMARK-T" };

function client(session: Partial<Client["session"]> = {}): Client {
  const nothing = async () => ({ data: undefined });
  return {
    session: { get: nothing, messages: async () => ({ data: [] }), prompt: nothing, ...session },
    tui: { showToast: nothing },
  };
}

interface More {
  readonly sources?: readonly Source[];
  readonly offers?: readonly Offer[];
  readonly client?: Client;
  readonly files?: Record<string, string>;
}

function world(more: More = {}) {
  const made = temporaryWorld({ ...RULES, ...more.files });
  const start = () =>
    createHooks({
      client: more.client ?? client({ get: async () => ({ data: { id: "s" } }) }),
      directory: made.root,
      history: loadHistory,
      env: made.env,
      now: Date.now,
      sources: more.sources ?? [rules],
      tools: [],
      prompts: [],
      offers: more.offers ?? [],
    });
  return { ...made, start };
}

const say = async (hooks: Hooks, text: string, attached: readonly Part[] = []): Promise<string> => {
  const message = { id: "msg_1", role: "user", sessionID: "s" };
  const parts: Part[] = [{ id: "prt_1ddfe924a001aTyKt3H5bDIuXJ", type: "text", text }, ...attached];
  await hooks["chat.message"]({ sessionID: "s" }, { message, parts });
  return parts
    .slice(1 + attached.length)
    .map((part) => part.text)
    .join();
};
const system = async (hooks: Hooks, prompt = "You are opencode"): Promise<string> => {
  const output = { system: [prompt] };
  await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, output);
  expect(output.system).toHaveLength(1);
  return output.system[0]!;
};
const read = async (hooks: Hooks): Promise<string> => {
  const output = { output: "content" };
  const call = { tool: "read", sessionID: "s", callID: "c", args: { filePath: "x.ts" } };
  await hooks["tool.execute.after"](call, output);
  return output.output;
};
const happens = (hooks: Hooks, type: string) =>
  hooks.event({ event: { type, properties: { sessionID: "s" } } });
const compact = async (hooks: Hooks) => {
  const output = { context: [] };
  await hooks["experimental.session.compacting"]({ sessionID: "s" }, output);
  expect(await system(hooks, "You are a context summarization agent")).not.toContain("MARK");
  await hooks["experimental.text.complete"]({ sessionID: "s" }, { text: "summary" });
};

test("the user sees a line when a session begins and after a compaction; a host without a TUI is not noticed", async () => {
  const toasts: unknown[] = [];
  const shown = { showToast: async (toast: unknown) => ({ data: toasts.push(toast) }) };
  const { start } = world({ client: { ...client(), tui: shown } });
  const hooks = start();
  await say(hooks, "hello");
  await say(hooks, "again");
  const line = (text: RegExp) => ({ body: { message: expect.stringMatching(text), variant: "info" } });
  expect(toasts).toEqual([line(/^Continuo: 1 rule \(\d+ tokens\)$/)]);
  await compact(hooks);
  await happens(hooks, "session.compacted");
  expect(toasts.slice(1)).toEqual([line(/^Continuo: restored 1 rule/)]);
  const broken = () => {
    throw new Error("no TUI");
  };
  const without = world({ client: { ...client(), tui: { showToast: broken } } }).start();
  await say(without, "hello");
  expect(await system(without)).toContain("MARK-A");
});

test("the snapshot is in the first system entry, the same in every request and process; requests for titles have none", async () => {
  const { start } = world();
  const hooks = start();
  expect(await say(hooks, "hello")).toBe("");
  const first = await system(hooks);
  expect(first).toMatch(/^You are opencode\n\n<continuo>[\s\S]*MARK-A[\s\S]*<\/continuo>$/);
  expect(await system(hooks)).toBe(first);
  expect(await system(hooks, "You are a title generator")).toBe("You are a title generator");
  const later = start();
  await say(later, "again");
  expect(await system(later)).toBe(first);
  // A turn that no prompt began.
  expect(await system(start())).toBe(first);
});

test("what becomes relevant comes with the tool's output, once, and behind the summary of a compaction", async () => {
  const { start } = world();
  const hooks = start();
  await say(hooks, "hello");
  expect(await read(hooks)).toMatch(/^content\n\n<continuo-addition>[\s\S]*MARK-T/);
  expect(await read(hooks)).toBe("content");
  await compact(hooks);
  const before = await system(hooks);
  const at = Date.now();
  await happens(hooks, "session.compacted");
  // The system prompt stays as it was, or the prompt cache would be lost.
  expect(await system(hooks)).toBe(before);
  for (const each of [await request(hooks, at), await request(hooks, at)])
    expect(each).toMatch(/MARK-A[\s\S]*msg_9[\s\S]*<continuo-addition>[^<]*<[\s\S]*MARK-T[\s\S]*go on/);
});

test("a rule for a file comes with the message that mentions it or has it attached, once; a folder is no file", async () => {
  const file = (url: string): Part => ({ id: "prt_0ddfe924a001aTyKt3H5bDIuXJ", type: "file", url });
  const { start, root } = world({ files: { "x.ts": "", "y z.ts": "", "folder.ts/a.md": "" } });
  const at = (path: string) => file(pathToFileURL(join(root, path)).href);
  const hooks = start();
  expect(await say(hooks, "hello @none.ts @@x.ts", [at("folder.ts"), file("data:x"), file("file://%")])).toBe(
    "",
  );
  expect(await say(hooks, "look", [{ ...at("y z.ts"), url: `${at("y z.ts").url}?start=1&end=2` }])).toContain(
    "MARK-T",
  );
  expect(await say(hooks, "look again @x.ts")).toBe("");
  const other = world({ files: { "x.ts": "" } }).start();
  expect(await say(other, "look at @x.ts")).toContain("MARK-T");
});

/** The messages of a request after a compaction: the summary, and a turn that the host kept word for word. */
const request = async (hooks: Hooks, created = Date.now() - 1): Promise<string> => {
  const info = { role: "user", sessionID: "s" };
  const kept = "<continuo-addition>\nMARK-T\n</continuo-addition>";
  const summary = { id: "msg_9", role: "assistant", sessionID: "s", summary: true };
  const messages: Message[] = [
    { info: { ...summary, time: { created } }, parts: [] },
    { info: { id: "msg_1", ...info }, parts: [{ id: "1", type: "text", text: kept, synthetic: true }] },
    { info: { id: "msg_99", ...info }, parts: [{ id: "2", type: "text", text: "go on" }] },
  ];
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  return (await system(hooks)) + JSON.stringify(messages);
};

test("if a compaction's epoch could not be begun, the next prompt begins it, where the snapshot belongs", async () => {
  let delayMs = 0;
  const slow: Source = {
    ...rules,
    answers: {
      ...rules.answers,
      async compacted(...given) {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return (await rules.answers.compacted?.(...given)) ?? {};
      },
    },
  };
  const { start, home } = world({ sources: [slow] });
  const hooks = start();
  await say(hooks, "hello");
  write(home.root, { "config.json": '{ "momentDeadlineMs": 100 }' });
  delayMs = 300;
  await compact(hooks);
  await happens(hooks, "session.compacted");
  delayMs = 0;
  write(home.root, { "config.json": "{}" });
  expect(await say(hooks, "again")).toBe("");
  expect(await request(hooks)).toContain("MARK-A");
  const state = JSON.parse(readFileSync(join(home.state, "opencode", "s.json"), "utf8"));
  expect(state).toMatchObject({ epoch: 2, owed: false });
});

test("a source that is late at a compaction keeps what it had, and the system prompt keeps its bytes", async () => {
  let delayMs = 0;
  const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs));
  const item = { key: "n", name: "n", text: "MARK-NOTE", reason: "test", priority: 0 };
  const sections = [
    {
      source: "memory",
      title: "Project notes",
      nature: "reference" as const,
      priority: 10,
      essential: false,
      items: [item],
    },
  ];
  const start = () => wait().then(() => ({ sections }));
  const notes: Source = {
    name: "memory",
    answersChildren: false,
    settings: {},
    answers: { start, compacted: start },
  };
  const slowRules: Source = {
    ...rules,
    answers: {
      ...rules.answers,
      async compacted(...given) {
        await wait();
        return (await rules.answers.compacted?.(...given)) ?? {};
      },
    },
  };
  const { start: startHost, home, root } = world({ sources: [slowRules, notes] });
  const hooks = startHost();
  await say(hooks, "hello");
  const before = await system(hooks);
  expect(before).toContain("MARK-NOTE");
  for (const round of [1, 2]) {
    write(home.root, { "config.json": '{ "momentDeadlineMs": 600, "sourceDeadlineMs": 50 }' });
    delayMs = 1_500;
    await compact(hooks);
    await happens(hooks, "session.compacted");
    delayMs = 0;
    write(home.root, { "config.json": "{}" });
    expect([round, await system(hooks)]).toEqual([round, before]);
    const state = JSON.parse(readFileSync(join(home.state, "opencode", "s.json"), "utf8"));
    expect(state).toMatchObject({ epoch: round + 1, owed: false });
  }
  // With time again, whatever changed meanwhile is behind the summary.
  write(root, { ".continuo/rules/new.md": "MARK-NEW" });
  await compact(hooks);
  await happens(hooks, "session.compacted");
  expect(await system(hooks)).toBe(before);
});

test("a process that missed the compaction begins the epoch at its first request, before any prompt", async () => {
  const { start } = world();
  const hooks = start();
  await say(hooks, "hello");
  await read(hooks);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const text = await request(start());
  expect(text.split("MARK-T")).toHaveLength(2);
  expect(text).toMatch(/<continuo>[\s\S]*MARK-A[\s\S]*<\/continuo>[\s\S]*<continuo-addition>[\s\S]*MARK-T/);
});

test("a request that is faster than the host's event begins the epoch, and the event begins no second one", async () => {
  const { start, home } = world();
  const hooks = start();
  await say(hooks, "hello");
  await read(hooks);
  await compact(hooks);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const at = Date.now() - 1;
  const after = await request(hooks, at);
  expect(after).toContain("MARK-T");
  await happens(hooks, "session.compacted");
  expect(await request(hooks, at)).toBe(after);
  const state = JSON.parse(readFileSync(join(home.state, "opencode", "s.json"), "utf8"));
  expect(state.epoch).toBe(2);
  await compact(hooks);
  await happens(hooks, "session.compacted");
  expect(JSON.parse(readFileSync(join(home.state, "opencode", "s.json"), "utf8")).epoch).toBe(3);
});

test("an edited rule is given once, also when later processes go on with the session", async () => {
  const { start, root } = world();
  await say(start(), "hello");
  write(root, { ".continuo/rules/a.md": "MARK-A, edited" });
  const given = [];
  for (let process = 0; process < 3; process++) given.push(await say(start(), `again ${process}`));
  expect(given.map((text) => text.includes("MARK-A, edited"))).toEqual([true, false, false]);
});

test("a plugin that is loaded twice delivers once", async () => {
  const { start } = world();
  const [one, two] = [start(), start()];
  const message = { id: "msg_1", role: "user", sessionID: "s" };
  const chat = { message, parts: [{ id: "prt_1ddfe924a001aTyKt3H5bDIuXJ", type: "text", text: "hi" }] };
  const request = { system: ["You are opencode"] };
  for (const hooks of [one, two]) await hooks["chat.message"]({ sessionID: "s" }, chat);
  for (const hooks of [one, two]) {
    await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, request);
  }
  expect(request.system[0]?.split("MARK-A")).toHaveLength(2);
});

test("a session with messages from before the installation is resumed; a host that does not answer is not waited for", async () => {
  const resumed = vi.fn(() => ({}));
  const source: Source = { ...rules, answers: { resume: resumed } };
  const history = client({
    get: () => new Promise<never>(() => undefined),
    messages: async () => ({ data: [{ info: { id: "msg_0", role: "user", sessionID: "s" }, parts: [] }] }),
  });
  await say(world({ sources: [source], client: history }).start(), "hello");
  expect(resumed).toHaveBeenCalledOnce();
});

test("no failure in the plugin reaches the host", async () => {
  const fail = () => {
    throw new Error("broken");
  };
  const broken: Client = { session: { get: fail, messages: fail, prompt: fail }, tui: { showToast: fail } };
  const sources = new Proxy([], { get: fail });
  const { start } = world({ client: broken, sources });
  const hooks = start();
  expect(await say(hooks, "hello")).toBe("");
  expect(await system(hooks)).toBe("You are opencode");
  expect(await read(hooks)).toBe("content");
  await compact(hooks);
  for (const type of ["session.created", "session.compacted", "session.idle", "session.deleted", "new.thing"])
    await happens(hooks, type);
  await hooks.event({ event: { type: "odd" } });
  await hooks["experimental.chat.messages.transform"]({}, { messages: [] });
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args: undefined });
  await hooks.config({ agent: null });
  await hooks.dispose();
});

test("a guard stops a tool by an error", async () => {
  const guarding = (action: "deny" | "ask"): Source => ({
    ...rules,
    guard: () => ({ action, message: "MARK-GUARD" }),
  });
  const call = { tool: "bash", sessionID: "s", callID: "c" };
  for (const action of ["deny", "ask"] as const) {
    const hooks = world({ sources: [guarding(action)] }).start();
    await expect(hooks["tool.execute.before"](call, { args: {} })).rejects.toThrow("MARK-GUARD");
  }
});

test("jobs of an idle session run in the background and to their end, those of the start once, and none for a subagent", async () => {
  const done: string[] = [];
  const job = (name: string, at: "start" | "idle", ms: number) => ({
    name,
    at,
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      done.push(name);
    },
  });
  const offers = [{ jobs: [job("check", "start", 0), job("describe", "idle", 50)] }];
  const { start } = world({ offers });
  const hooks = start();
  await say(hooks, "hello");
  await happens(hooks, "session.idle");
  expect(done).toEqual([]);
  await expect.poll(() => done).toEqual(["check", "describe"]);
  await say(hooks, "and again");
  await happens(hooks, "session.idle");
  await hooks.dispose?.();
  expect(done).toEqual(["check", "describe", "describe"]);
  const child = world({
    offers,
    client: client({ get: async () => ({ data: { id: "s", parentID: "p" } }) }),
  }).start();
  await say(child, "hello");
  await happens(child, "session.idle");
  await child.dispose?.();
  expect(done).toHaveLength(3);
});

test("ends at once where the host could not install its own package: it would begin again, and leave its lock", async () => {
  let isDone = false;
  const run = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    isDone = true;
  };
  const made = world({ offers: [{ jobs: [{ name: "describe", at: "idle" as const, run }] }] });
  const folder = join(String(made.env["HOME"]), ".config", "opencode");
  mkdirSync(folder, { recursive: true });
  const hooks = made.start();
  await say(hooks, "hello");
  await happens(hooks, "session.idle");
  await hooks.dispose();
  expect(isDone).toBe(false);
  mkdirSync(join(folder, "node_modules"));
  await hooks.dispose();
  expect(isDone).toBe(true);
});
