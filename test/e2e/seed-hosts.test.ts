import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SeedConfig } from "../../src/sources/seed/types.ts";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import { classify, requestText } from "../fakes/anthropic-requests.ts";
import { startDriver } from "../hosts/opencode/driver.ts";
import { exampleSeed, git, learning, proposal } from "../sources/seed/seeds.ts";
import { strictlyRead } from "../sources/seed/strict-reader.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { CLAUDE_CODE, startClaudeCode } from "../support/claude-code.ts";
import { OPENCODE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { cliOf, PI, startPi } from "../support/pi.ts";
import { write } from "../support/world.ts";

/** What this file needs of a host: its home, turns, and a compaction. */
interface Host {
  readonly home: string;
  /** The texts of the requests that are neither for a title nor for a summary. */
  turn(prompt: string, session?: string): Promise<{ session: string; texts: string[] }>;
  compact(session: string): Promise<void>;
  dispose(): Promise<void>;
}

const SEED = exampleSeed({
  learned: {
    patterns: [learning("l-pattern", "MARK-LEARNED: prefers small commits")],
    insights: [
      learning("l-else", "MARK-ELSEWHERE: only for another project", { tags: ["project:/elsewhere"] }),
      learning("l-open", "MARK-UNCONFIRMED: nobody said yes", { confirmed: false }),
    ],
  },
  state: {
    proposals: [proposal("p-one", "MARK-PROPOSED: use pnpm"), proposal("p-no", "MARK-REFUSED: use npm")],
  },
});
const REFUSED = {
  kind: "decided",
  at: "2026-02-06T00:00:00.000Z",
  batch: "b",
  steps: [{ do: "reject", proposal: proposal("old", "x"), value: "mark refused use npm" }],
};

const HOSTS: { name: string; missing: unknown; start(): Promise<Host> }[] = [
  {
    name: `Claude Code ${CLAUDE_CODE}`,
    missing: await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE)),
    start: startClaude,
  },
  {
    name: `OpenCode ${OPENCODE}`,
    missing: await orSkipReason(installedPackage("opencode-ai", OPENCODE)),
    start: startOpen,
  },
  { name: `pi ${PI.version}`, missing: await orSkipReason(cliOf(PI)), start: startPiHost },
];

for (const { name, missing, start } of HOSTS) {
  describe.skipIf(typeof missing === "object")(`the seed in ${name}`, () => {
    it("shows identity, learnings and proposals before the first answer and after a compaction, and keeps the books", async () => {
      const host = await start();
      onTestFinished(() => host.dispose());
      const folder = join(host.home, ".pai");
      write(folder, {
        "seed.json": `${JSON.stringify(SEED, null, 2)}\n`,
        "seed.continuo.jsonl": `${JSON.stringify(REFUSED)}\n`,
      });

      const first = await host.turn("hello");
      expectSeed(first.texts[0]);
      await host.turn("again and ".repeat(30), first.session);
      await host.compact(first.session);
      const after = await host.turn("go on", first.session);
      expectSeed(after.texts[0]);

      const text = readFileSync(join(folder, "seed.json"), "utf8");
      const { state } = JSON.parse(text) as SeedConfig;
      expect(state.lastSessionAt).toMatch(/Z$/);
      expect(state.activeProjects).toEqual(["project"]);
      expect(state.checkpointRef).toBe(
        `continuo:${state.checkpointRef?.split(/[:/]/)[1]}/${state.lastSessionId}`,
      );
      expect(strictlyRead(text)).toEqual([]);

      const next = await host.turn("a new one");
      expect(next.texts[0]).toContain(`Last session: ${new Date().getUTCFullYear()}-`);
    });
  });
}

function expectSeed(text: string | undefined): void {
  for (const mark of [
    "Identity: Ivy (serving Daniel)",
    "MARK-LEARNED: prefers small commits",
    "Pending proposals (1):",
    "MARK-PROPOSED: use pnpm",
    "Waiting for the user's decision. Not in force: do not act on it.",
  ])
    expect((text ?? "").split(mark).length - 1, mark).toBe(1);
  for (const mark of ["MARK-ELSEWHERE", "MARK-UNCONFIRMED", "MARK-REFUSED"]) expect(text).not.toContain(mark);
}

async function startClaude(): Promise<Host> {
  const server = await startFakeAnthropic({
    respond: (request) =>
      classify(request) === "compaction"
        ? { text: "<analysis>x</analysis>\n<summary>We spoke.</summary>" }
        : { text: "done" },
  });
  const host = await startClaudeCode({ git: true, server });
  const env = { HOME: host.home, TMPDIR: join(host.home, "..", "tmp"), PATH: "/usr/bin:/bin" };
  const installed = await runScript(CONTINUO, ["install", "claude-code"], { env, cwd: host.project });
  expect(installed.stderr).toBe("");
  return {
    home: host.home,
    async turn(prompt, session) {
      const id = session ?? randomUUID();
      const { requests } = await host.run({
        prompt,
        ...(session === undefined ? { sessionId: id } : { resume: id }),
      });
      return { session: id, texts: requests.filter((one) => classify(one) === "main").map(requestText) };
    },
    compact: async (session) => void (await host.compact(session)),
    async dispose() {
      // The end of a session is one commit, which the host does not wait for forever.
      expect(git(join(host.home, ".pai"), "log", "--format=%s")).toContain(
        "Update: session in project (claude-code)",
      );
      await host.dispose();
      await server.close();
    },
  };
}

async function startOpen(): Promise<Host> {
  const driver = await startDriver();
  return {
    home: driver.host.home,
    async turn(prompt, session) {
      const done = await driver.turn(prompt, session === undefined ? {} : { session });
      return { session: done.session, texts: mainTexts(done.requests) };
    },
    compact: async (session) => void (await driver.compact(session)),
    dispose: () => driver.dispose(),
  };
}

async function startPiHost(): Promise<Host> {
  const driver = await startPi(PI);
  return {
    home: driver.home,
    async turn(prompt, session) {
      const done = await driver.turn(prompt, session === undefined ? {} : { session });
      return { session: done.session, texts: mainTexts(done.requests) };
    },
    compact: async (session) => void (await driver.compact(session)),
    dispose: () => driver.dispose(),
  };
}

function mainTexts(requests: readonly { readonly kind: string; readonly text: string }[]): string[] {
  return requests.filter((one) => one.kind === "main").map((one) => one.text);
}
