import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openSessions } from "../../../src/sources/sessions/library.ts";
import { HISTORIES } from "../../hosts/shared/history/histories/all.ts";
import { CWD } from "../../hosts/shared/history/histories/history.ts";
import { history } from "../../support/histories.ts";
import { temporaryWorld } from "../../support/world.ts";

/** A home with the histories of all six hosts. */
async function setUp() {
  const { env, home } = temporaryWorld();
  mkdirSync(env["HOME"] ?? "", { recursive: true });
  for (const history of HISTORIES) history.write(env["HOME"] ?? "");
  const sessions = openSessions({ home, history, env });
  const first = await sessions.sync();
  return { sessions, first, env, home };
}

describe("the sessions of six hosts", () => {
  it("are in one list, each with its name, folder and counts, and are read once", async () => {
    const { sessions, first } = await setUp();
    expect(first).toMatchObject({ sessions: 6, changed: 6, isComplete: true, notices: [] });
    const list = sessions.list();
    expect(list.map(({ host, id }) => `${host} ${id}`).sort()).toEqual(
      HISTORIES.map(({ reader, session }) => `${reader.host} ${session}`).sort(),
    );
    for (const one of list) {
      expect(one).toMatchObject({ cwd: CWD, label: "shop", isChild: false, isGone: false });
      expect(one.counts).toMatchObject({ prompts: 2, compactions: 1 });
      expect(one.name).toBe(["codex", "gemini"].includes(one.host) ? "Where are prices rounded" : "Rounding");
    }
    expect((await sessions.sync()).changed).toBe(0);
    sessions.close();
  });

  it("are found by their text and by files that were read, but not by injected text", async () => {
    const { sessions, home, env } = await setUp();
    // The same conversation, under two names: four sessions and two.
    const { hits, total } = sessions.search("round half to even");
    expect([total, ...hits.map(({ copies = [] }) => copies.length).sort()]).toEqual([2, 1, 3]);
    expect(
      sessions.search("round half to even", { host: "pi" }).hits.map(({ session }) => session.host),
    ).toEqual(["pi"]);
    expect(sessions.list({ file: "round.ts" })).toHaveLength(6);
    expect(sessions.list({ file: "src/nowhere.ts" })).toEqual([]);
    expect(sessions.list({ project: "shop" })).toHaveLength(6);
    const byWords = openSessions({ home, history, env, meaning: () => undefined });
    expect(byWords.search("cents").total).toBe(0); // MARK-OURS: prices are in cents
    byWords.close();
    // By meaning, they are near the question, but no passage has the word.
    for (const { best } of sessions.search("cents").hits) expect(best?.text).not.toContain("cents");
    const [hit] = sessions.search("naively", { host: "opencode" }).hits;
    expect(hit?.best).toMatchObject({ role: "assistant", text: "In round.ts — naïvely." });
    sessions.close();
  });

  it("have records with requests and places, each line with its turn", async () => {
    const { sessions } = await setUp();
    for (const session of sessions.list()) {
      const record = sessions.record(session);
      expect(record).toMatchObject({ schemaVersion: 1, sessionId: session.id, cwd: CWD, name: session.name });
      const turns = new Set([...sessions.turns(session)].map(({ id }) => id));
      const lines = record?.summary.split("\n").filter((line) => line.startsWith("- ")) ?? [];
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(turns).toContain(/\[([^\]]+)\]$/.exec(line)?.[1]);
      expect(record?.summary).toContain("Where are prices rounded?");
      expect(record?.tags.length).toBeGreaterThanOrEqual(3);
    }
    sessions.close();
  });

  it("are resumed with each host's own command in their folder", async () => {
    const { sessions } = await setUp();
    const commands = Object.fromEntries(sessions.list().map((one) => [one.host, sessions.resumeLine(one)]));
    const id = (host: string) => HISTORIES.find(({ reader }) => reader.host === host)?.session;
    expect(commands).toMatchObject({
      "claude-code": `cd ${CWD} && claude --resume ${id("claude-code")}`,
      opencode: `cd ${CWD} && opencode -s ${id("opencode")}`,
      codex: `cd ${CWD} && codex resume ${id("codex")}`,
      copilot: `cd ${CWD} && copilot --resume=${id("copilot")}`,
      gemini: `cd ${CWD} && gemini --resume ${id("gemini")}`,
      pi: expect.stringMatching(new RegExp(`^cd ${CWD} && pi --session /.*${id("pi")}\\.jsonl$`)),
    });
    sessions.close();
  });
});
