import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import { classify, requestText } from "../fakes/anthropic-requests.ts";
import { startDriver } from "../hosts/opencode/driver.ts";
import { git } from "../sources/profile/seeds.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { CLAUDE_CODE, startClaudeCode } from "../support/claude-code.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { cliOf, PI, startPi } from "../support/pi.ts";

/** What the seed's tests need from a host: its home, turns, and a compaction. */
export interface SeedHost {
  readonly home: string;
  /** The texts of the requests that are neither for a title nor for a summary. */
  turn(prompt: string, session?: string): Promise<{ session: string; texts: string[] }>;
  compact(session: string): Promise<void>;
  dispose(): Promise<void>;
}

export const SEED_HOSTS: { name: string; missing: unknown; start(): Promise<SeedHost> }[] = [
  {
    name: `Claude Code ${CLAUDE_CODE}`,
    missing: await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE)),
    start: startClaude,
  },
  {
    name: `OpenCode ${OPENCODE}`,
    missing: await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE)),
    start: startOpen,
  },
  { name: `pi ${PI.version}`, missing: await orSkipReason(cliOf(PI)), start: startPiHost },
];

async function startClaude(): Promise<SeedHost> {
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
      // The end of a session makes one commit, and the host waits for it only for a limited time.
      if (existsSync(join(host.home, ".pai")))
        expect(git(join(host.home, ".pai"), "log", "--format=%s")).toContain(
          "Update: session in project (claude-code)",
        );
      await host.dispose();
      await server.close();
    },
  };
}

async function startOpen(): Promise<SeedHost> {
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

async function startPiHost(): Promise<SeedHost> {
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
