import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Values } from "../../../../src/base/settings.ts";
import type { OfferContext } from "../../../../src/moments/ports/offer.ts";
import { withSessions } from "../../../../src/sources/sessions/access.ts";
import { sessionsIndexPath } from "../../../../src/sources/sessions/indexing/schema.ts";
// Loaded when a status line is first asked for: on a busy machine, the first line would be a later one.
import "../../../../src/sources/sessions/answers/asking-status.ts";
import "../../../../src/sources/sessions/ports/advance-index.ts";
import "../../../../src/sources/sessions/ports/describe-jobs.ts";
import { sessionsOffer } from "../../../../src/sources/sessions/ports/offer.ts";
import { recordPath } from "../../../../src/sources/sessions/records/files.ts";
import { openDatabase } from "../../../../src/store/sqlite/open.ts";
import { type ChatServer, chatServer } from "../../../fakes/chat-server.ts";
import { childScript } from "../../../support/child.ts";
import { quickest } from "../../../support/quickest.ts";
import { CARD, card } from "../describe/scripted-model.ts";
import { worldWith, writeSession } from "../written.ts";

const ID = "11111111-0000-4000-8000-000000000001";
const SAID = Array.from({ length: 5 }, (_, i) => [`Question ${i} on prices`, `Answer ${i}`]).flat();

const servers: ChatServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...answer: Parameters<typeof chatServer>): Promise<ChatServer> {
  const server = await chatServer(...answer);
  servers.push(server);
  return server;
}

/** A session with five prompts, in a host that runs jobs. */
function at(settings: Values) {
  const { offer, env, home } = worldWith([{ id: ID, said: SAID }]);
  const notes: [string, object][] = [];
  const names: string[] = [];
  const context: OfferContext = {
    ...offer,
    session: { host: "claude-code", id: ID },
    settings,
    host: { note: (...note) => void notes.push(note), nameSession: (name) => void names.push(name) },
  };
  const pending: unknown[] = [];
  const changed = () => void pending.push(sessionsOffer.status?.(context));
  const signal = new AbortController().signal;
  const run = async (name: string) => {
    const job = sessionsOffer.jobs?.find((one) => one.name === name);
    if (job === undefined) throw new Error(name);
    await job.run(context, { signal, changed });
  };
  const statuses = async () => (await Promise.all(pending)).filter((text) => text !== "");
  const path = recordPath({ home, env }, { host: "claude-code", id: ID });
  const record = () => JSON.parse(readFileSync(path, "utf8"));
  return { context, env, home, notes, names, run, statuses, changed, record };
}

const at5 = (url: string, more: Values = {}): Values => ({
  modelKeys: ["endpoint/tiny"],
  modelUrl: url,
  modelApi: "openai",
  minNewUserMessages: 5,
  ...more,
});

describe("while the agent is idle", () => {
  it.each(["openai", "anthropic"])(
    "a model with the %s API describes the session, and the host gets notes and a name",
    async (modelApi) => {
      const server = await serve(({ prompt }) => (prompt.includes("cannot be used") ? card() : "Well…"));
      const { run, statuses, notes, names, record } = at(
        at5(server.url, { modelApi, modelPrices: ["endpoint/tiny 1 2"] }),
      );
      await run("describe session");
      expect(server.requests).toHaveLength(2);
      expect(server.requests[0]).toMatchObject({
        model: "tiny",
        system: expect.stringContaining("one JSON object"),
        prompt: expect.stringContaining("Question 4 on prices"),
      });
      expect(record()).toMatchObject({ name: CARD.name, model: "endpoint/tiny" });
      expect(await statuses()).toEqual([
        "indexing…",
        "indexing… (retry 1/2)",
        expect.stringMatching(/^session indexed \(\$0\.002\d00\)$/),
      ]);
      const attempt = { sessionId: ID, model: "endpoint/tiny", timestamp: expect.any(String) };
      expect(notes).toEqual([
        [
          "session-index:index",
          { ...attempt, success: false, usage: expect.any(Object), error: expect.any(String) },
        ],
        ["session-index:index", { ...attempt, success: true, usage: expect.any(Object) }],
      ]);
      expect(names).toEqual([CARD.name]);
      await run("describe session");
      expect(server.requests).toHaveLength(2);
    },
  );

  it("the status line disappears after a while", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const server = await serve(() => card());
    const { run, context } = at(at5(server.url));
    const working = run("describe session");
    await vi.waitFor(
      async () =>
        expect(await sessionsOffer.status?.(context)).toBe("session indexed (1000 tokens read, 50 written)"),
      { timeout: 30_000 },
    );
    await working;
    vi.advanceTimersByTime(6_000);
    expect(await sessionsOffer.status?.(context)).toBe("");
  });

  it("a server that is down is shown in the status line and recorded as a failure, and is not asked again", async () => {
    const server = await serve((_, response) => void response.writeHead(503).end());
    const { run, statuses, notes, record, context } = at(at5(server.url));
    await withSessions(context, 60_000, (library) => library.record({ host: "claude-code", id: ID }));
    await expect(run("describe session")).rejects.toThrow("it answered 503");
    expect(await statuses()).toEqual([
      "indexing…",
      expect.stringMatching(/^index failed: the model endpoint\/tiny/),
    ]);
    expect(notes).toEqual([["session-index:index", expect.objectContaining({ success: false })]]);
    expect(record().model).toBe("continuo/extractive");
    await run("describe session");
    expect(server.requests).toHaveLength(1);
  });

  it("nothing is sent if modelRecords is off or no model is configured", async () => {
    const server = await serve(() => card());
    for (const settings of [
      at5(server.url, { modelRecords: false }),
      at5(server.url, { modelKeys: [] }),
      {},
    ]) {
      const { run, statuses } = at(settings);
      for (const job of ["check models", "index sessions", "describe session"]) await run(job);
      expect((await statuses()).filter((text) => !/^indexing \d/.test(String(text)))).toEqual([]);
    }
    expect(server.requests).toHaveLength(0);
  });

  it("an index that another process writes is left to that process without a failure", async () => {
    const { run, home, env, context } = at({});
    await run("index sessions");
    writeSession(String(env["HOME"]), context.cwd, { id: "new", said: ["What is new?", "This."] });
    const other = openDatabase(sessionsIndexPath(home));
    other.exec("BEGIN IMMEDIATE");
    const index = async () => {
      const began = Date.now();
      await run("index sessions");
      return Date.now() - began;
    };
    const whileHeld = await quickest(2_000, index);
    other.exec("COMMIT");
    other.close();
    expect(whileHeld).toBeLessThan(2_000);
  });

  it("nothing is indexed or sent if indexing is off", async () => {
    const server = await serve(() => card());
    const { run, home } = at(at5(server.url, { index: false }));
    for (const job of ["index sessions", "describe session"]) await run(job);
    expect(existsSync(sessionsIndexPath(home))).toBe(false);
    expect(server.requests).toHaveLength(0);
  });

  it("a start reports configured models of which none is usable", async () => {
    await expect(at({ modelKeys: ["openai/gpt"] }).run("check models")).rejects.toThrow(
      'no model in modelKeys can be used: "openai/gpt": the environment variable OPENAI_API_KEY is not set',
    );
    await at(at5("http://127.0.0.1:9/v1")).run("check models");
  });

  it("the host's own model is preferred to any URL", async () => {
    const server = await serve(() => card());
    const { context, record } = at(at5(server.url));
    const own = { key: "endpoint/tiny", complete: async () => ({ text: card({ name: "By the host" }) }) };
    const job = sessionsOffer.jobs?.find(({ name }) => name === "describe session");
    await job?.run(
      { ...context, host: { models: () => own } },
      { signal: new AbortController().signal, changed: () => undefined },
    );
    expect(record().name).toBe("By the host");
    expect(server.requests).toHaveLength(0);
  });
});

describe("/index-session", () => {
  const command = sessionsOffer.commands?.find(({ name }) => name === "index-session");

  it("lets the model describe the session now, however little is new, and shows the cost", async () => {
    const server = await serve(() => card());
    const { context, changed, statuses, record } = at(
      at5(server.url, { minNewUserMessages: 50, modelRecords: false, modelPrices: ["endpoint/tiny 1 2"] }),
    );
    expect(await command?.run("", context, changed)).toBe(
      `Session indexed: "${CARD.name}" (claude-code, 2026-02-01, @@${ID}), 10 turns, described by endpoint/tiny ($0.001100)`,
    );
    expect(await statuses()).toEqual(["indexing…", "session indexed ($0.001100)"]);
    expect(record().model).toBe("endpoint/tiny");
  });

  it("makes an extracted record if no model is configured or usable", async () => {
    const plain = at({});
    expect(await command?.run("", plain.context)).toMatch(/, 10 turns$/);
    expect(plain.record().model).toBe("continuo/extractive");
    const without = at({ modelKeys: ["openai/gpt"] });
    expect(await command?.run("", without.context)).toMatch(/no model can be used: .*OPENAI_API_KEY/);
    expect(without.record().model).toBe("continuo/extractive");
  });

  it("reports why the model does not answer, and the record stays", async () => {
    const server = await serve((_, response) => void response.writeHead(401).end());
    const { context, record } = at(at5(server.url));
    await expect(Promise.resolve(command?.run("", context))).rejects.toThrow("it answered 401");
    expect(record().model).toBe("continuo/extractive");
  });
});

describe("two processes at once", () => {
  it("describe one session once", async () => {
    const server = await serve((_, response) => {
      setTimeout(
        () => response.end(JSON.stringify({ choices: [{ message: { content: card() } }], usage: {} })),
        1_500,
      );
      return undefined;
    });
    const { env, home, context } = at({});
    await withSessions(context, 60_000, () => undefined);
    const script = await childScript(
      join(home.root),
      `import { loadHistory } from "./src/hosts/index.ts";
       import { openSessions } from "./src/sources/sessions/library.ts";
       import { chooseModel } from "./src/models/choose-model.ts";
       import { homeAt } from "./src/store/home.ts";
       const settings = { modelKeys: ["endpoint/tiny"], modelUrl: ${JSON.stringify(server.url)}, modelApi: "openai",
         modelKeyEnv: "", modelPrices: [], modelTimeoutMs: 10000 };
       const { model } = await chooseModel(settings, process.env);
       const sessions = openSessions({ home: homeAt(process.env.CONTINUO_HOME), env: process.env, history: await loadHistory() });
       process.stdin.once("data", async () => {
         const { kind } = await sessions.describe({ host: "claude-code", id: "${ID}" }, { model, leastPrompts: 5 });
         sessions.close();
         console.log(kind);
         process.exit();
       });
       console.error("ready");`,
    );
    const children = [1, 2, 3].map(() => spawn(process.execPath, [script], { env }));
    const said = children.map(
      (child) =>
        new Promise<string>((resolve) => {
          let text = "";
          child.stdout.on("data", (part) => {
            text += part;
          });
          child.on("close", () => resolve(text.trim()));
        }),
    );
    await Promise.all(children.map((child) => new Promise((resolve) => child.stderr.once("data", resolve))));
    for (const child of children) child.stdin.write("go\n");
    const kinds = await Promise.all(said);
    expect(kinds.filter((kind) => kind === "written")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "busy" || kind === "early")).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });
});
