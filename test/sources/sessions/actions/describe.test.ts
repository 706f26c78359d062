import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ChatServer, chatServer } from "../../../fakes/chat-server.ts";
import { ROOT } from "../../../support/child.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { CARD, card } from "../describe/scripted-model.ts";
import { answer, ask, place } from "../place.ts";

const IDS = [1, 2, 3].map((n) => `${n}1111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa`);

const servers: ChatServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Three sessions; the last has too few prompts to be summarised. */
async function setUp(reply: Parameters<typeof chatServer>[0] = () => card(), settings: object = {}) {
  const here = place();
  const server = await chatServer(reply);
  servers.push(server);
  const model = { modelKeys: ["endpoint/tiny"], modelUrl: server.url, modelPrices: ["endpoint/tiny 1 2"] };
  mkdirSync(here.home.root, { recursive: true });
  writeFileSync(here.home.config, JSON.stringify({ sources: { sessions: { ...model, ...settings } } }));
  for (const [at, id] of IDS.entries()) {
    const prompts = at === 2 ? 2 : 6;
    const said = Array.from({ length: prompts }, (_, i) => [ask(`Question ${at}.${i}`), answer("So.")]);
    here.write(id, said.flat());
  }
  const run = async (...argv: string[]) => {
    const done = await runInProcess(["sessions", ...argv], { env: here.env, cwd: here.folder });
    return { code: done.code, out: done.stdout, err: done.stderr };
  };
  return { ...here, server, run };
}

describe("continuo sessions describe", () => {
  it("summarises one session with a model, and show names the model and the time", async () => {
    const { run, server } = await setUp();
    const shown = await run("show", "311111");
    expect(shown.out).toMatch(/summary: extracted \(no model\), just now/);
    const done = await run("describe", "311111");
    expect(done).toMatchObject({ code: 0, out: "1 session summarised by endpoint/tiny ($0.001100)\n" });
    expect(done.err).toMatch(/endpoint\/tiny will summarise 1 session and read about \d{3,} tokens/);
    expect(server.requests).toHaveLength(1);
    expect((await run("show", CARD.name)).out).toMatch(/summary: by endpoint\/tiny, just now\n/);
  });

  it("--all takes sessions without a model's summary and with enough prompts, up to --limit", async () => {
    const { run, server } = await setUp();
    const dry = await run("describe", "--all", "--dry-run", "--json");
    expect(JSON.parse(dry.out).data).toMatchObject({
      model: "endpoint/tiny",
      sessions: [{}, {}],
      hasMore: false,
    });
    expect(server.requests).toHaveLength(0);
    const first = await run("describe", "--all", "--limit", "1");
    expect(first.err).toContain("there are more: raise --limit");
    const rest = JSON.parse((await run("describe", "--all", "--json")).out);
    expect(rest).toMatchObject({
      ok: true,
      data: {
        described: [{ host: "claude-code", name: CARD.name }],
        failed: [],
        left: 0,
        usage: { costUsd: 0.0011 },
      },
    });
    expect((await run("describe", "--all")).out).toBe("0 sessions summarised by endpoint/tiny\n");
    expect(server.requests).toHaveLength(2);
  });

  it("stops when the server keeps failing, and says how many were skipped", async () => {
    const { run, server, write } = await setUp((_, response) => void response.writeHead(500).end());
    for (const n of [4, 5, 6])
      write(
        `${n}1111111`,
        Array.from({ length: 6 }, (_, i) => ask(`Question ${n}.${i}`)),
      );
    const done = await run("describe", "--all");
    expect(done.code).toBe(1);
    expect(done.out).toMatch(
      /^0 sessions summarised by endpoint\/tiny\n3 failed: .*it answered 500; .*\n2 skipped\n$/,
    );
    expect(server.requests).toHaveLength(3);
  });

  it("sends nothing and says what to do when no model is configured or usable", async () => {
    const none = await setUp(undefined, { modelKeys: [] });
    const refused = await none.run("describe", "--all");
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('"modelKeys": ["anthropic/claude-haiku-4-5"]');
    expect(none.server.requests).toHaveLength(0);
    const bad = await setUp(undefined, { modelKeys: ["claude-haiku-4-5"] });
    expect((await bad.run("describe", "last")).err).toContain("write provider/id");
    expect(bad.server.requests).toHaveLength(0);
  });

  it("stops at once at Ctrl-C, says how many were skipped, and keeps the session for later", async () => {
    const { server, env, folder, run } = await setUp(() => undefined);
    const child = spawn(
      process.execPath,
      [join(ROOT, "dist", "continuo.cjs"), "sessions", "describe", "--all"],
      {
        env,
        cwd: folder,
      },
    );
    let out = "";
    child.stdout.on("data", (part) => {
      out += part;
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(out).toBe("0 sessions summarised by endpoint/tiny\n2 skipped (interrupted)\n");
    const dry = JSON.parse((await run("describe", "--all", "--dry-run", "--json")).out);
    expect(dry.data.sessions).toHaveLength(2);
  });
});
