import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChatStep } from "../../../../src/moments/ports/chat.ts";
import { activityOf } from "../../../../src/moments/state/activity.ts";
import { peekState } from "../../../../src/moments/state/session-state.ts";
import { fileNameFor } from "../../../../src/store/home.ts";
import { thisProcess } from "../../../../src/store/host-process.ts";
import type { ChatChange, ChatOverview, ChatState } from "../../../../src/web/api/chat.ts";
import type { WebEvent } from "../../../../src/web/api/events.ts";
import { applyChanges } from "../../../../src/web/page/chat/chat-state.ts";
import { cards } from "../../../../src/web/server/cards/routes.ts";
import { chat as area } from "../../../../src/web/server/chat/routes.ts";
import { sessions } from "../../../../src/web/server/sessions/routes.ts";
import { type FakeSession, fakeChatHost, turnStep } from "../../../support/chat.ts";
import { json, type TestWeb, temporaryWeb } from "../../../support/web.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const KEY = "sk-Very-Secret-Key-0123456789abcdef";
const ENDPOINT = {
  type: "openai",
  baseUrl: "http://127.0.0.1:9/v1",
  model: "m1",
  wireApi: "completions",
  keyEnv: "",
} as const;

interface World extends TestWeb {
  readonly fake: ReturnType<typeof fakeChatHost>;
  readonly changes: ChatChange[];
  ask<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T; text: string }>;
  /** Opens a chat and returns its fake session. */
  begin(): Promise<{ id: string; session: FakeSession }>;
  state(id: string): Promise<ChatState>;
}

function world(options: Parameters<typeof fakeChatHost>[0] = {}, env: Record<string, string> = {}): World {
  const fake = fakeChatHost(options);
  const made = temporaryWeb({ "a.ts": "" }, [area, sessions, cards], { chatHost: async () => fake.host });
  Object.assign(made.env, env);
  const changes: ChatChange[] = [];
  made.web.subscribe((event: WebEvent) => {
    if (event.type === "chat") changes.push(event.event);
  });
  const ask: World["ask"] = async <T>(method: string, path: string, body?: unknown) => {
    const answer = await made.app.request(path, body === undefined ? { method } : json(method, body));
    const text = await answer.text();
    return { status: answer.status, body: JSON.parse(text) as T, text };
  };
  return {
    ...made,
    fake,
    changes,
    ask,
    async begin() {
      await ask("PUT", "/api/chats/provider", { ...ENDPOINT, key: KEY });
      const { body } = await ask<ChatState>("POST", "/api/chats", { project: made.root });
      const session = fake.sessions.at(-1);
      if (session === undefined) throw new Error("no session was opened");
      return { id: body.id, session };
    },
    async state(id) {
      const { chat } = (await ask<{ chat?: ChatState }>("GET", `/api/chats/${id}`)).body;
      if (chat === undefined) throw new Error(`${id} is not open`);
      return chat;
    },
  };
}

const step = (session: FakeSession, ...steps: ChatStep[]): void => {
  for (const one of steps) session.listener.onStep(one);
};
const send = (at: World, id: string, text: string, key = text.slice(0, 20)) =>
  at.ask("POST", `/api/chats/${id}/messages`, { text, key });

const answer = (id: string, text: string, at = 3) => turnStep(id, { role: "assistant", text, at });
const more = (id: string, text: string): ChatStep => ({ kind: "piece", id, text, thinking: "" });
const calling = (id: string, call: string, input: Record<string, unknown>) =>
  turnStep(id, { role: "assistant", calls: [{ id: call, name: "bash", input, files: [] }] });
const answering = (id: string, call: string, text: string) =>
  turnStep(id, { role: "tool", text, answers: [{ call }] });

/** What a page makes of the changes. */
const follow = (from: ChatState, changes: readonly ChatChange[]) => applyChanges(from, changes)?.turns;

describe("before a chat", () => {
  it("says how to install the SDK, and starts nothing", async () => {
    const at = world({ installed: false });
    const { body } = await at.ask<ChatOverview>("GET", "/api/chats");
    expect(body.sdk).toMatchObject({ isInstalled: false, downloadMB: 50 });
    expect(body.provider).toMatchObject({ type: "none", problem: "no model is set up" });
    expect(body.projects).toEqual([{ root: at.root, label: "project" }]);
    expect(at.fake.sessions).toEqual([]);
  });

  it("notices when npm has installed the SDK, into a folder that was not there", async () => {
    const folder = join(temporaryFolder(), "chat");
    const at = world({ installed: false, folder });
    const seen: string[] = [];
    at.web.subscribe(({ type }) => seen.push(type));
    await at.ask("GET", "/api/chats");
    write(folder, { "node_modules/.package-lock.json": "{}" });
    await expect.poll(() => seen).toContain("connect");
  });

  it("stores where the model is, never the key", async () => {
    const at = world();
    const { body } = await at.ask("PUT", "/api/chats/provider", { ...ENDPOINT, keyEnv: "MY_KEY", key: KEY });
    expect(body).toMatchObject({ type: "openai", key: "memory" });
    const stored = readFileSync(at.home.config, "utf8");
    expect(JSON.parse(stored)).toEqual({
      hosts: {
        copilot: {
          chatProvider: "openai",
          chatUrl: "http://127.0.0.1:9/v1",
          chatModel: "m1",
          chatKeyEnv: "MY_KEY",
        },
      },
    });
  });

  it.each([
    ["an address with a password", { baseUrl: "http://u:p@h/v1" }],
    ["an address that is none", { baseUrl: "javascript:alert(1)" }],
    ["the key where the variable's name belongs", { keyEnv: KEY }],
    ["a key with a line break", { key: "a\nb" }],
    ["an unknown field", { more: 1 }],
  ])("refuses %s", async (_, more) => {
    const at = world();
    const { status, text } = await at.ask("PUT", "/api/chats/provider", { ...ENDPOINT, ...more });
    expect(status).toBe(400);
    expect(text).not.toContain(KEY);
  });

  it("never sends a typed key to another address", async () => {
    const at = world();
    await at.begin();
    await at.ask("PUT", "/api/chats/provider", { ...ENDPOINT, baseUrl: "http://127.0.0.1:10/v1" });
    await at.ask("POST", "/api/chats", { project: at.root });
    expect(at.fake.sessions.map(({ opening }) => opening.provider.key)).toEqual([KEY, undefined]);
  });

  it("takes the key from the variable, and says when it is not set", async () => {
    const at = world({}, { MY_KEY: KEY });
    const set = await at.ask("PUT", "/api/chats/provider", { ...ENDPOINT, keyEnv: "MY_KEY" });
    expect(set.body).toMatchObject({ key: "environment" });
    await at.ask("POST", "/api/chats", { project: at.root });
    expect(at.fake.sessions[0]?.opening.provider.key).toBe(KEY);
    const unset = await at.ask("PUT", "/api/chats/provider", { ...ENDPOINT, keyEnv: "OTHER_KEY" });
    expect(unset.body).toMatchObject({
      key: "missing",
      problem: expect.stringContaining("OTHER_KEY is not set"),
    });
    const { status } = await at.ask("POST", "/api/chats", { project: at.root });
    expect(status).toBe(409);
  });

  it("begins only in known projects", async () => {
    const at = world();
    await at.begin();
    for (const project of ["/", "/etc", `${at.root}/../..`, "relative", ""]) {
      const { status } = await at.ask("POST", "/api/chats", { project });
      expect(status, project).toBe(400);
    }
    expect(at.fake.sessions).toHaveLength(1);
  });
});

describe("a session that began in a folder that the page does not open", () => {
  it("is not resumed: home, around it, the system's, Continuo's own, or a link to one", async () => {
    const at = world();
    await at.begin();
    const user = at.env["HOME"] ?? "";
    mkdirSync(user, { recursive: true });
    symlinkSync(user, join(at.root, "link"));
    let cwd = at.root;
    const session = { host: "copilot", id: "old", name: "", isGone: false, isChild: false };
    Object.assign(at.web, {
      sessions: async () => ({ sync: async () => undefined, get: () => ({ ...session, cwd }) }),
    });
    const resume = () => at.ask<{ error?: { code: string } }>("POST", "/api/chats", { resume: "old" });
    for (cwd of [user, join(user, ".."), "/", "/proc", at.home.root, join(at.root, "link")]) {
      const { status, body } = await resume();
      expect([cwd, status, body.error?.code]).toEqual([cwd, 409, "chat-folder-too-wide"]);
    }
    expect(at.fake.sessions).toHaveLength(1);
    cwd = at.root;
    expect((await resume()).status).toBe(200);
  });
});

describe("a chat", () => {
  it("has a session's page from its start, before its agent or a hook has written anything", async () => {
    const at = world();
    const { id } = await at.begin();
    for (const path of ["", "/card", "/lineage", "/conversation/outline", "/conversation", "/record"])
      expect([path, (await at.ask("GET", `/api/sessions/copilot/${id}${path}`)).status]).toEqual([path, 200]);
    expect((await at.ask("GET", "/api/sessions/copilot/another/card")).status).toBe(404);
  });

  it("sends the pieces of an answer in order, and the same as a whole", async () => {
    const at = world();
    const { id, session } = await at.begin();
    const before = await at.state(id);
    await send(at, id, "hello");
    step(session, { kind: "begin", id: "m", at: 2 });
    for (const text of ["one ", "two ", "three"]) step(session, more("m", text));
    const middle = await at.state(id);
    expect(middle.status).toBe("working");
    step(session, more("m", " four"));
    step(session, answer("m", "one two three four", 3));
    step(session, { kind: "idle", isAborted: false });
    const after = await at.state(id);
    expect(after.turns.map(({ said }) => said.text)).toEqual(["hello", "one two three four"]);
    expect(follow(before, at.changes)).toEqual(after.turns);
    expect(follow(middle, at.changes)).toEqual(after.turns);
  });

  it("shows a repeated answer once", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await send(at, id, "hello");
    step(session, { kind: "begin", id: "a", at: 2 }, more("a", "half"));
    step(session, { kind: "begin", id: "b", at: 3 }, more("b", "whole"));
    step(session, answer("b", "whole", 3));
    expect((await at.state(id)).turns.slice(1)).toMatchObject([{ id: "b", said: { text: "whole" } }]);
  });

  it("queues what is sent meanwhile, by any tab, and sends it once", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await Promise.all([send(at, id, "one"), send(at, id, "two"), send(at, id, "two"), send(at, id, "three")]);
    expect(session.sent).toEqual(["one"]);
    expect((await at.state(id)).queue.map(({ text }) => text)).toEqual(["two", "three"]);
    step(session, { kind: "idle", isAborted: false });
    step(session, { kind: "idle", isAborted: false });
    expect(session.sent).toEqual(["one", "two", "three"]);
  });

  it("gives back what was not sent when it is stopped", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await send(at, id, "one");
    await send(at, id, "two");
    const { body } = await at.ask("POST", `/api/chats/${id}/stop`, {});
    expect(body).toEqual({ unsent: ["two"] });
    expect(session.aborts).toBe(1);
    expect(await at.state(id)).toMatchObject({ status: "idle", queue: [] });
  });

  it("does not send a message that is stopped while the session is resumed", async () => {
    const at = world();
    const { id, session } = await at.begin();
    session.listener.onGone("idle");
    const { promise, resolve } = Promise.withResolvers<void>();
    at.fake.onOpen = () => promise;
    const sending = send(at, id, "one");
    await expect.poll(async () => (await at.state(id)).status).toBe("working");
    await at.ask("POST", `/api/chats/${id}/stop`, {});
    resolve();
    await sending;
    expect(at.fake.sessions.flatMap(({ sent }) => sent)).toEqual([]);
    expect((await at.state(id)).turns).toMatchObject([
      { role: "user", said: { text: "one" } },
      { role: "other", marks: ["stopped"] },
    ]);
  });

  it("goes on after the runtime failed", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await send(at, id, "one");
    step(session, { kind: "begin", id: "a", at: 2 }, more("a", "half"));
    session.listener.onGone("failed");
    const gone = await at.state(id);
    expect(gone.status).toBe("asleep");
    expect(gone.turns.at(-1)).toMatchObject({
      marks: ["error"],
      said: { text: expect.stringMatching(/ended unexpectedly.\n\nSend a message to resume the session.$/) },
    });
    expect(gone.turns.at(-2)).toMatchObject({ said: { text: "half" }, marks: ["lost"] });
    expect(gone.turns.filter(({ isOpen }) => isOpen)).toEqual([]);
    await send(at, id, "two");
    expect(at.fake.sessions[1]?.opening.resume).toBe(id);
    expect(at.fake.sessions[1]?.sent).toEqual(["two"]);
  });

  it("does not call an answer lost that was finished or stopped", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await send(at, id, "one");
    step(session, { kind: "begin", id: "a", at: 2 }, more("a", "half"));
    step(session, { kind: "idle", isAborted: true });
    step(session, answer("b", "whole", 3));
    session.listener.onGone("failed");
    const { turns } = await at.state(id);
    expect(turns.filter(({ marks }) => marks.includes("lost"))).toEqual([]);
  });

  it("says that messages wait after one could not be sent, and sends them in their order", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await send(at, id, "one");
    await send(at, id, "two");
    await send(at, id, "three");
    session.listener.onGone("idle");
    at.fake.onOpen = () => {
      throw new Error("no process");
    };
    step(session, { kind: "idle", isAborted: false });
    await expect
      .poll(async () => (await at.state(id)).turns.at(-1)?.said.text)
      .toMatch(/Send it again. 1 message in the queue: sent before your next one.$/);
    at.fake.onOpen = () => undefined;
    await send(at, id, "four");
    const next = at.fake.sessions[1]!;
    step(next, { kind: "idle", isAborted: false });
    await expect.poll(() => next.sent).toEqual(["three", "four"]);
  });

  it("is not working any more when its runtime failed in the middle of a turn", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await send(at, id, "one");
    const now = new Date(at.web.now()).toISOString();
    const state = {
      version: 1,
      session: { host: "copilot", id },
      project: at.project,
      startedAt: now,
      seenAt: now,
      ...{ epoch: 1, snapshot: null, delivered: {}, workingSet: [], memos: {} },
      work: { since: now, at: now, process: thisProcess() },
    };
    write(at.home.state, { [`copilot/${fileNameFor(id)}.json`]: JSON.stringify(state) });
    const doing = () => {
      const state = peekState(at.home, { host: "copilot", id });
      return state && activityOf(state, at.web.now()).doing;
    };
    expect(doing()).toBe("working");
    session.listener.onGone("failed");
    await expect.poll(doing).toBe("idle");
  });

  it("bounds prompts, the queue, answers and results", async () => {
    const at = world();
    const { id, session } = await at.begin();
    expect((await send(at, id, "x".repeat(400_001))).status).toBe(413);
    await send(at, id, "go");
    for (let n = 0; n < 20; n++) await send(at, id, `q${n}`);
    expect((await send(at, id, "one more")).status).toBe(429);
    step(session, { kind: "begin", id: "m", at: 2 });
    for (let n = 0; n < 30; n++) step(session, more("m", "y".repeat(100_000)));
    step(session, calling("t", "c", { command: "z".repeat(1_000_000) }));
    step(session, answering("r", "c", "z".repeat(1_000_000)));
    const state = await at.state(id);
    expect(JSON.stringify(state).length).toBeLessThan(700_000);
    expect(state.turns.find(({ id }) => id === "m")?.said).toMatchObject({ of: 300_000 });
    for (let n = 0; n < 1500; n++) step(session, turnStep(`u${n}`, { text: "more" }));
    const later = await at.state(id);
    expect(later).toMatchObject({ hasEarlier: true });
    expect(later.turns).toHaveLength(1000);
  });

  it("resumes with what was said before, once for two tabs", async () => {
    const at = world({
      history: [turnStep("u", { text: "before" }), answer("m", "answered", 2)],
    });
    const { id } = await at.begin();
    const { status, body } = await at.ask<ChatState>("POST", "/api/chats", { resume: id });
    expect(status).toBe(200);
    expect(body.id).toBe(id);
    expect(at.fake.sessions).toHaveLength(1);
    expect((await at.ask("POST", "/api/chats", { resume: "unknown" })).status).toBe(409);
    expect((await at.ask("GET", "/api/chats/unknown")).body).toEqual({});
    expect((await send(at, "unknown", "hello")).status).toBe(404);
  });

  it("ends its process with the server", async () => {
    const at = world();
    await at.begin();
    await at.web.close();
    expect(at.fake.stops).toBe(1);
  });
});

describe("permissions", () => {
  const wish = {
    kind: "command",
    tool: "bash",
    detail: "npm test",
    same: { key: "command npm test", label: "this exact command" },
  } as const;

  it("asks in the page, and passes on the answer", async () => {
    const at = world();
    const { id, session } = await at.begin();
    const once = session.listener.onPermission(wish);
    const [first] = (await at.state(id)).requests;
    expect(first).toMatchObject({ detail: "npm test", sessionLabel: "this exact command" });
    const path = (request = "") => `/api/chats/${id}/requests/${request}`;
    await at.ask("POST", path(first?.id), { answer: "once" });
    expect(await once).toEqual({ allow: true });
    expect((await at.ask("POST", path(first?.id), { answer: "once" })).status).toBe(409);

    const denied = session.listener.onPermission(wish);
    const [second] = (await at.state(id)).requests;
    await at.ask("POST", path(second?.id), { answer: "deny", reason: "too slow" });
    expect(await denied).toEqual({ allow: false, reason: "too slow" });

    const forSession = session.listener.onPermission(wish);
    const [third] = (await at.state(id)).requests;
    await at.ask("POST", path(third?.id), { answer: "session" });
    expect(await forSession).toEqual({ allow: true });
    expect(await session.listener.onPermission(wish)).toEqual({ allow: true });
    const other = session.listener.onPermission({ ...wish, same: { key: "command rm", label: "x" } });
    expect((await at.state(id)).requests).toHaveLength(1);
    await at.ask("POST", `/api/chats/${id}/stop`, {});
    expect(await other).toMatchObject({ allow: false });
  });

  it("never allows for a session what must be asked for every time", async () => {
    const at = world();
    const { id, session } = await at.begin();
    const { same: _, ...rule } = wish;
    const first = session.listener.onPermission(rule);
    const [asked] = (await at.state(id)).requests;
    await at.ask("POST", `/api/chats/${id}/requests/${asked?.id}`, { answer: "session" });
    expect(await first).toEqual({ allow: true });
    void session.listener.onPermission(rule);
    expect((await at.state(id)).requests).toHaveLength(1);
  });

  it.each(["detail", "diff", "target", "tool"] as const)(
    "denies what cannot be shown whole: a long %s",
    async (field) => {
      const at = world();
      const { id, session } = await at.begin();
      const answer = session.listener.onPermission({ ...wish, [field]: "x".repeat(100_001) });
      expect((await at.state(id)).requests).toEqual([]);
      expect(await answer).toEqual({
        allow: false,
        reason: "Too long for a person to check. Use smaller steps.",
      });
    },
  );

  it("shows all of what it asks for", async () => {
    const at = world();
    const { id, session } = await at.begin();
    const shown = { detail: "d".repeat(100_000), diff: "+".repeat(100_000), target: "/elsewhere/x" };
    void session.listener.onPermission({ ...wish, ...shown, reason: "r".repeat(5000) });
    const [asked] = (await at.state(id)).requests;
    expect(asked).toMatchObject(shown);
    expect(asked?.reason).toHaveLength(2001);
  });

  it("answers questions of the agent", async () => {
    const at = world();
    const { id, session } = await at.begin();
    const asked = session.listener.onQuestion({ question: "Colour?", choices: ["red"], allowsText: true });
    const [question] = (await at.state(id)).questions;
    await at.ask("POST", `/api/chats/${id}/questions/${question?.id}`, { text: "red" });
    expect(await asked).toBe("red");
  });
});

describe("the key", () => {
  it("is in no answer, no event and no file, whatever the model or a tool says", async () => {
    const at = world();
    const { id, session } = await at.begin();
    await send(at, id, `my key is ${KEY}`);
    step(session, { kind: "begin", id: "m", at: 2 }, more("m", KEY));
    step(session, calling("t", "c", { command: `echo ${KEY}` }));
    step(session, answering("r", "c", `"${KEY}"`));
    step(session, turnStep("e", { role: "other", text: `refused ${KEY}`, marks: { error: true } }));
    void session.listener.onPermission({ kind: "command", tool: "bash", detail: KEY });
    const answers = await Promise.all(
      ["/api/chats", `/api/chats/${id}`, `/api/chats/complete?before=${KEY}`].map((path) =>
        at.ask("GET", path),
      ),
    );
    const tested = await at.ask("POST", "/api/chats/provider/test", {});
    for (const { text } of [...answers, tested]) expect(text).not.toContain(KEY);
    expect(JSON.stringify(at.changes)).not.toContain(KEY);
    expect(filesWith(at.home.root, KEY)).toEqual([]);
  });
});

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}
