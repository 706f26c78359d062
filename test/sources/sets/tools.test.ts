import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { countTokens } from "../../../src/compose/tokens.ts";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { ToolContext } from "../../../src/moments/ports/tool.ts";
import { metaFile } from "../../../src/moments/state/session-meta.ts";
import { type ContextEvent, publish, subscribe, toCacoEvent } from "../../../src/sources/sets/events.ts";
import { CONTEXT_TOOLS, getRelevantContext, setRelevantContext } from "../../../src/sources/sets/tools.ts";
import { temporaryWorld } from "../../support/world.ts";

function setUp(parent?: string) {
  const { home, env, root } = temporaryWorld();
  const session = { host: "claude-code", id: "s1", ...(parent === undefined ? {} : { parent }) } as const;
  const call: ToolContext = { session, cwd: root, home, history: loadHistory, env, now: 7 };
  const file = metaFile(home, env["HOME"], session, { lockWaitMs: 1000 });
  const heard: ContextEvent[] = [];
  onTestFinished(subscribe((event) => void heard.push(event)));
  const set = (args: unknown) => setRelevantContext.run(args, call);
  const get = (args?: unknown) => getRelevantContext.run(args, call);
  return { root, file, heard, set, get };
}

describe("the tools", () => {
  it("cost few tokens in every request", () => {
    const schemas = CONTEXT_TOOLS.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    }));
    expect(countTokens(JSON.stringify(schemas))).toBeLessThanOrEqual(350);
    // An agent can add to a set only if it knows how.
    expect(schemas[0]?.parameters["properties"]).toMatchObject({ mode: { enum: ["replace", "merge"] } });
  });

  it("take what the agent does as the session's intent, without secrets and in one line", async () => {
    const { set, get, file } = setUp();
    expect(
      await set({ setName: "intent", items: ["Rotate the key", "ghp_0123456789abcdefghijklmnopqrstuvwxyz"] }),
    ).toEqual({
      ok: true,
      text: "Set intent",
    });
    expect(file.read()?.currentIntent).toMatch(/^Rotate the key; \[redacted:[a-z-]+\]$/);
    expect(file.read()?.currentIntentAt).toBe(new Date(7).toISOString());
    expect((await get()).text).toBe("No context stored for this session");
    expect((await set({ setName: "intent", items: ["a\nb"] })).ok).toBe(false);
    expect((await set({ setName: "intent", items: [] })).text).toBe("Cleared intent");
    expect(file.read()).toEqual({ name: "" });
  });

  it("set, merge, clear and get with the known answers", async () => {
    const { set, get, root, heard } = setUp();
    expect(await get({})).toEqual({ ok: true, text: "No context stored for this session" });
    expect(await set({ setName: "files", items: ["spec.md", "/b"] })).toEqual({
      ok: true,
      text: "Set files: 2 items",
      telemetry: { contextChanged: true, setName: "files" },
    });
    expect((await set({ setName: "files", items: ["/c"], mode: "merge" })).text).toBe(
      "Merged files: 3 items",
    );
    expect((await set({ setName: "prots", items: ["1"] })).text).toBe(
      'Set prots: 1 item\nWarning: "prots" is not a known set; did you mean "ports"?',
    );
    const files = [join(root, "spec.md"), "/b", "/c"];
    expect((await get()).text).toBe(JSON.stringify({ files, prots: ["1"] }, null, 2));
    expect((await get({ setName: "files" })).text).toBe(JSON.stringify({ files }, null, 2));
    expect((await get({ setName: "ports" })).text).toBe('{\n  "ports": []\n}');
    expect((await set({ setName: "files", items: [] })).text).toBe("Cleared files");
    expect(heard.map(({ setName, added, removed }) => ({ setName, added, removed }))).toEqual([
      { setName: "files", added: files.slice(0, 2), removed: [] },
      { setName: "files", added: ["/c"], removed: [] },
      { setName: "prots", added: ["1"], removed: [] },
      { setName: "files", added: [], removed: files },
    ]);
  });

  it("fail with a message, for any arguments", async () => {
    const { set, get, file } = setUp();
    for (const args of [
      undefined,
      null,
      7,
      "files",
      [],
      {},
      { setName: "files" },
      { setName: "files", items: "a" },
    ]) {
      const answer = await set(args);
      expect(answer.ok).toBe(false);
      expect(answer.text).toMatch(/give/);
    }
    expect((await get({ setName: 3 })).ok).toBe(false);
    expect((await get([])).ok).toBe(false);
    const large = Object.fromEntries(
      [..."abcde"].map((name) => [name, Array.from({ length: 10 }, (_, i) => String(i))]),
    );
    await file.update(() => ({ context: large }));
    expect(await set({ setName: "f", items: ["x"] })).toEqual({
      ok: false,
      text: "Context too large (51 items, max 50). Remove some items first.",
    });
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (args) => {
        expect(typeof (await set(args)).text).toBe("string");
        expect(typeof (await get(args)).text).toBe("string");
      }),
    );
  });

  it("report corrupt metadata, and do not change it", async () => {
    const { set, get, file } = setUp();
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, "{");
    expect(await set({ setName: "a", items: ["x"] })).toMatchObject({ ok: false, text: /a copy is kept as/ });
    expect((await get()).ok).toBe(false);
  });

  it("do not let a subagent change a set", async () => {
    const { set, file } = setUp("s0");
    expect(await set({ setName: "files", items: ["/a"] })).toMatchObject({ ok: false, text: /subagent/ });
    expect(existsSync(file.path)).toBe(false);
  });
});

describe("events", () => {
  const event: ContextEvent = {
    type: "context",
    reason: "resume",
    session: { host: "pi", id: "x" },
    added: [],
    removed: [],
    context: { files: ["/a"] },
    at: 1,
  };

  it("reach every subscriber, whatever the others do", async () => {
    const heard: string[] = [];
    const troubles: unknown[] = [];
    const stops = [
      subscribe(() => {
        throw new Error("one");
      }),
      subscribe(async () => {
        throw new Error("two");
      }),
      subscribe(({ context }) => void context["files"]?.push("/changed by a subscriber")),
      subscribe(({ context }) => void heard.push(...(context["files"] ?? []))),
    ];
    publish(event, (error) => troubles.push(error));
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(["/a"]);
    expect(troubles).toHaveLength(2);
    for (const stop of stops) stop();
    publish(event);
    expect(heard).toEqual(["/a"]);
  });

  it("can be converted to Caco's format", () => {
    expect(toCacoEvent(event)).toEqual({
      type: "caco.context",
      data: { reason: "resume", context: { files: ["/a"] } },
    });
    expect(toCacoEvent({ ...event, reason: "changed", setName: "files" }).data).toMatchObject({
      setName: "files",
    });
  });
});
