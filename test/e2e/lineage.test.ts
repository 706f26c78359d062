import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSessions, type Sessions } from "../../src/sources/sessions/library.ts";
import { homeAt } from "../../src/store/home.ts";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import { startFakeResponses } from "../fakes/responses.ts";
import { startDriver as startOpenCode } from "../hosts/opencode/driver.ts";
import { CLAUDE_CODE, startClaudeCode } from "../support/claude-code.ts";
import { codexConfig, codexProgram } from "../support/codex-program.ts";
import { sdkFolder, startCopilotSdk } from "../support/copilot-sdk.ts";
import { history } from "../support/histories.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { cliOf, PI, startPi } from "../support/pi.ts";
import { makePlace } from "../support/place.ts";
import { temporaryFolder } from "../support/world.ts";

const skips = async (program: Promise<unknown>): Promise<string> => {
  const found = await orSkipReason(program);
  return typeof found === "object" && found !== null && "skip" in found ? `: ${found.skip}` : "";
};
const [claude, opencode, pi, codex, copilot] = await Promise.all([
  skips(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE)),
  skips(installedPackage(OPENCODE_PACKAGE, OPENCODE)),
  skips(cliOf(PI)),
  skips(codexProgram()),
  skips(sdkFolder()),
]);

/** All transcripts of a user with this environment. */
async function library(env: NodeJS.ProcessEnv): Promise<Sessions> {
  const sessions = openSessions({ home: homeAt(join(temporaryFolder(), "home")), history, env });
  onTestFinished(() => sessions.close());
  await sessions.sync();
  return sessions;
}

describe("where the sessions of a real host come from", () => {
  it.skipIf(claude)(`is found for Claude Code's forks, which do not name it${claude}`, async () => {
    const server = await startFakeAnthropic({ respond: () => ({ text: "ok" }) });
    onTestFinished(() => server.close());
    const host = await startClaudeCode({ git: true, server });
    onTestFinished(() => host.dispose());
    const [first, second] = [randomUUID(), randomUUID()];
    await host.run({ prompt: "Explain the narwhal cache", sessionId: first });
    await host.run({ prompt: "shrink it", resume: first, sessionId: second, args: ["--fork-session"] });
    await host.run({ prompt: "and the storks", resume: second, args: ["--fork-session"] });
    const sessions = await library({ HOME: host.home });
    const third = sessions.list().find(({ id }) => id !== first && id !== second)?.id ?? "none";
    expect(sessions.ancestors({ host: "claude-code", id: third }).map(({ id }) => id)).toEqual([
      second,
      first,
    ]);
    expect(sessions.search("narwhal").total).toBe(1);
  });

  it.skipIf(opencode)(`is found for OpenCode's forks, which do not name it${opencode}`, async () => {
    const driver = await startOpenCode();
    onTestFinished(() => driver.dispose());
    const { session } = await driver.turn("Explain the narwhal cache");
    const fork = (await driver.host.request("POST", `/session/${session}/fork`, {})) as { id: string };
    await driver.host.prompt(fork.id, "go another way");
    const sessions = await library(driver.host.env);
    expect(sessions.get({ host: "opencode", id: fork.id })?.forkOf).toBe(session);
    expect(sessions.get({ host: "opencode", id: session })?.forkOf).toBeUndefined();
  });

  it.skipIf(codex)(`is named by Codex's forks${codex}`, async () => {
    const program = await codexProgram();
    const place = await makePlace("codex");
    const server = await startFakeResponses();
    onTestFinished(async () => {
      place.dispose();
      await server.close();
    });
    server.respondWith(() => ({ text: "done" }));
    mkdirSync(join(place.home, ".codex"));
    writeFileSync(join(place.home, ".codex/config.toml"), codexConfig(server.url));
    const exec = async (...args: string[]): Promise<string> => {
      const flags = ["--skip-git-repo-check", "--json"];
      const output = await place.run([program, "exec", ...flags, ...args], { FAKE_KEY: "x" });
      return /"thread_id":"([^"]+)"/.exec(output)?.[1] ?? output;
    };
    const first = await exec("Explain the narwhal cache");
    const forked = await exec("fork", first, "shrink it");
    expect(await exec("resume", first, "and the storks")).toBe(first);
    const sessions = await library({ HOME: place.home });
    expect(sessions.list().map(({ id, forkOf }) => ({ id, forkOf }))).toHaveLength(2);
    expect(sessions.get({ host: "codex", id: forked })?.forkOf).toBe(first);
    expect(sessions.get({ host: "codex", id: first })?.forkOf).toBeUndefined();
    expect(sessions.search("narwhal").total).toBe(1);
  });

  it.skipIf(copilot)(`is named by Copilot's forks${copilot}`, async () => {
    const driver = await startCopilotSdk();
    onTestFinished(() => driver.dispose());
    const { session } = await driver.turn("Explain the narwhal cache");
    const sdk = await import(join(await sdkFolder(), "node_modules/@github/copilot-sdk/dist/index.js"));
    const client = new sdk.CopilotClient({ env: driver.env, useLoggedInUser: false });
    await client.start();
    const { sessionId } = await client.rpc.sessions.fork({ sessionId: session }).finally(() => client.stop());
    const sessions = await library(driver.env);
    expect(sessions.get({ host: "copilot", id: sessionId })).toMatchObject({ forkOf: session });
    expect(sessions.get({ host: "copilot", id: session })?.forkOf).toBeUndefined();
  });

  it.skipIf(pi)(
    `is named by pi, forks and continuations apart, and abandoned branches are marked${pi}`,
    async () => {
      const driver = await startPi(PI);
      onTestFinished(() => driver.dispose());
      const { session: path } = await driver.turn("Explain the narwhal cache");
      await driver.turn("Make it a walrus cache", { session: path });
      const idOf = (file: string) => /_(.+)\.jsonl$/.exec(file)?.[1] ?? file;
      const before = await library(driver.env);
      const key = { host: "pi", id: idOf(path) } as const;
      expect(before.allPassages(key).some(({ isLeft }) => isLeft)).toBe(false);

      // Like its /tree: back to the first answer, with a summary of the abandoned branch.
      const entries = readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const answer = entries.find(({ message }) => message?.role === "assistant");
      const package_ = dirname(dirname(dirname(await cliOf(PI))));
      const { SessionManager } = await import(join(package_, "dist/index.js"));
      SessionManager.open(path).branchWithSummary(answer.id, "We tried a walrus.");
      await driver.turn("Make it a lemur cache", { session: path });
      await before.sync();
      const left = before.allPassages(key).filter(({ isLeft }) => isLeft);
      expect(left.map(({ text }) => text)).toContain("Make it a walrus cache");
      expect(before.allPassages(key).find(({ text }) => text.includes("lemur"))?.isLeft).toBeUndefined();
      expect(before.search("walrus cache").hits[0]?.best).toMatchObject({ isLeft: true });

      const { events } = await driver.rpc(path, [
        { type: "clone" },
        { type: "prompt", message: "in the clone" },
        { type: "get_state" },
        { type: "new_session", parentSession: path },
        { type: "prompt", message: "in the new one" },
        { type: "get_state" },
      ]);
      const [clone, next] = events
        .filter(({ command }) => command === "get_state")
        .map(({ data }) => (data as { sessionId: string }).sessionId);
      await before.sync();
      expect(before.get({ host: "pi", id: String(clone) })).toMatchObject({ forkOf: key.id });
      expect(before.get({ host: "pi", id: String(next) })).toMatchObject({ continues: key.id });
      expect(before.get({ host: "pi", id: String(next) })).not.toHaveProperty("forkOf");
    },
  );
});

it.skipIf(pi)(
  `a session that pi keeps in a folder of its user's choice is found all the same${pi}`,
  async () => {
    const driver = await startPi(PI);
    onTestFinished(() => driver.dispose());
    const { PI_CODING_AGENT_SESSION_DIR: _, ...env } = driver.env;
    const elsewhere = join(temporaryFolder(), "mine");
    const args = [await cliOf(PI), "--session-dir", elsewhere, "-p", "Explain the narwhal cache"];
    const running = promisify(execFile)(process.execPath, args, { cwd: driver.project, env });
    running.child.stdin?.end();
    await running;
    const home = homeAt(join(driver.home, ".continuo"));
    const sessions = openSessions({ home, history, env });
    onTestFinished(() => sessions.close());
    await sessions.sync();
    const [hit] = sessions.search("narwhal").hits;
    expect(hit?.session).toMatchObject({ host: "pi", isGone: false });
    expect(dirname(hit?.session.path ?? "")).toBe(elsewhere);
  },
);
