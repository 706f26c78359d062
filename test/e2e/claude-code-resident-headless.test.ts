import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { classify } from "../fakes/anthropic-requests.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { CLAUDE_CODE, claudeCodeEnv, DEFAULT_MODEL } from "../support/claude-code.ts";
import { expectPrefix, marksIn, type Resident, startResident } from "../support/claude-code-resident.ts";
import { answerFirstQuestions } from "../support/claude-code-screen.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { noStrace } from "../support/tampering.ts";
import { temporaryFolder, write } from "../support/world.ts";

const found = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const missing = typeof found === "object";

describe.skipIf(missing)(
  `hooks of Claude Code ${CLAUDE_CODE} that call the MCP server, without a screen`,
  () => {
    it.skipIf(noStrace)("start no process for a tool call", async () => {
      const host = await startResident();
      const [few, many] = [await programsStarted(host, 2), await programsStarted(host, 12)];
      expect(few.length).toBeGreaterThan(0);
      expect(many).toEqual(few);
    });

    it.each([
      ["in the foreground", false],
      ["in the background", true],
    ])("follow subagents %s, each with its own rules and files", async (_, isBackground) => {
      const host = await startResident();
      const id = randomUUID();
      const input = {
        description: "job",
        prompt: "read it",
        subagent_type: "general-purpose",
        run_in_background: isBackground,
      };
      host.replies(
        [{ toolUses: [{ name: "Agent", input }] }, { text: "done" }],
        [host.read("src/a.ts"), host.read("docs/b.md"), { text: "child done" }],
      );
      await host.run("delegate", { sessionId: id });
      const child = host.server.requests.filter((request) => classify(request) === "subagent");
      expect(child.map(marksIn)).toEqual([
        { ALWAYS: 1 },
        { ALWAYS: 1, FILES: 1 },
        { ALWAYS: 1, FILES: 1, DOCS: 1 },
      ]);
      expectPrefix(child);
      for (const request of host.main()) expect(marksIn(request)).toEqual({ ALWAYS: 1 });
      const states = readdirSync(join(host.home, ".continuo", "state", "claude-code"));
      const own = states.find((name) => name.startsWith(`${id}_`))?.slice(0, -".json".length) ?? "";
      expect(host.files(own)).toEqual(["src/a.ts", "docs/b.md"]);
      expect(host.files(id)).toEqual([]);
    });

    it("answer from what other processes wrote in between, and see rules and settings change", async () => {
      const host = await startResident();
      const id = randomUUID();
      host.replies([
        host.read("c.txt"),
        host.read("src/a.ts", 3_000),
        host.read("c.txt", 3_000),
        { text: "done" },
      ]);
      const running = host.run("first", { sessionId: id });
      await host.requests(2);
      const worker = await host.worker();
      const payload = {
        session_id: id,
        cwd: host.project,
        tool_name: "Read",
        tool_input: { file_path: join(host.project, "docs/b.md") },
      };
      const hook = await runScript(CONTINUO, ["hook", "claude-code", "PostToolUse"], {
        env: host.env,
        cwd: host.project,
        stdin: JSON.stringify(payload),
      });
      expect(hook.stdout).toContain("RULE-DOCS");
      await host.cli("sets", "set", "ports", "3000", "--session", id);
      await host.requests(3);
      write(host.project, { ".continuo/rules/new.md": "RULE-NEW stands." });
      const requests = await running;
      // The rule that the other process delivered is not delivered again.
      expect(requests.map(marksIn)).toEqual([
        { ALWAYS: 1 },
        { ALWAYS: 1 },
        { ALWAYS: 1, FILES: 1 },
        { ALWAYS: 1, FILES: 1 },
      ]);
      expect(requests.map((request) => request.raw.split("RULE-NEW stands").length - 1)).toEqual([
        0, 0, 0, 1,
      ]);
      expectPrefix(requests);
      expect([...host.files(id)].sort()).toEqual(["c.txt", "docs/b.md", "src/a.ts"]);
      expect(await host.cli("sessions", "receipt", id)).toContain("context changed (ports): + 3000");
      expect(worker).toBeGreaterThan(0);
    });

    it("reach a server of their own in each of two programs that run one session", async () => {
      const host = await startResident();
      const id = randomUUID();
      host.replies([{ text: "one" }]);
      await host.run("first", { sessionId: id });
      host.replies([
        host.read("src/a.ts", 500),
        host.read("docs/b.md", 500),
        { text: "two", delayMs: 500 },
        { text: "three", delayMs: 500 },
      ]);
      const both = await Promise.all([host.run("go on", { resume: id }), host.run("and on", { resume: id })]);
      const last = host.main().slice(1);
      for (const request of last) for (const times of Object.values(marksIn(request))) expect(times).toBe(1);
      expect(both.flat().length).toBeGreaterThan(0);
      expect([...host.files(id)].sort()).toEqual(["docs/b.md", "src/a.ts"]);
      expect(await host.cli("doctor")).toContain("No problems found: ");
    });

    it("work in a background session", async () => {
      const host = await startResident();
      host.replies([host.read("src/a.ts"), { text: "done" }]);
      answerFirstQuestions(host);
      const started = await host.command("--bg", "the database", "--model", DEFAULT_MODEL);
      const [, id = ""] = /backgrounded · (\w+)/.exec(started.stdout) ?? [];
      await host.requests(2);
      expect(host.main().map(marksIn)).toEqual([
        { ALWAYS: 1, WORDS: 1 },
        { ALWAYS: 1, WORDS: 1, FILES: 1 },
      ]);
      await host.command("stop", id);
      endDaemon(host);
    });

    it("are commands where --strict-mcp-config leaves the server out; what came too early is made up for", async () => {
      const host = await startResident();
      const id = randomUUID();
      host.replies([host.read("docs/b.md"), host.read("src/a.ts", 3_000), { text: "one" }]);
      const first = await host.run("the database", { sessionId: id }, ["--strict-mcp-config"]);
      expect(host.callsServer()).toBe(false);
      expect(marksIn(first.at(-1))).toMatchObject({ ALWAYS: 1, WORDS: 1, FILES: 1 });
      expect([...host.files(id)].sort()).toEqual(["docs/b.md", "src/a.ts"]);
      const second = await host.run("go on", { resume: id }, ["--strict-mcp-config"]);
      expect(marksIn(second.at(-1))).toEqual({ ALWAYS: 1, WORDS: 1, FILES: 1, DOCS: 1 });
      expectPrefix([...first, ...second]);
    });

    it("go on with the new package when it is replaced while the server runs", async () => {
      const folder = temporaryFolder("package");
      const copy = (name: string) => cpSync(dirname(CONTINUO), join(folder, name), { recursive: true });
      copy("dist");
      const host = await startResident({ script: join(folder, "dist", "continuo.cjs") });
      const id = randomUUID();
      host.replies([
        host.read("c.txt"),
        host.read("src/a.ts", 3_000),
        host.read("docs/b.md", 3_000),
        host.read("c.txt"),
        { text: "done" },
      ]);
      const running = host.run("first", { sessionId: id });
      await host.requests(2);
      const worker = await host.worker();
      copy("new");
      rmSync(join(folder, "dist"), { recursive: true });
      renameSync(join(folder, "new"), join(folder, "dist"));
      await host.requests(3);
      await host.worker((one) => one !== worker);
      const requests = await running;
      expect(marksIn(requests.at(-1))).toEqual({ ALWAYS: 1, FILES: 1, DOCS: 1 });
      expectPrefix(requests);
      expect(host.files(id)).toEqual(["src/a.ts", "docs/b.md", "c.txt"]);
    });
  },
);

/** What Continuo's hooks started in a run with this many tool calls. */
async function programsStarted(host: Resident, calls: number): Promise<string[]> {
  host.replies([...Array.from({ length: calls }, () => host.read("c.txt")), { text: "done" }]);
  const folder = dirname(host.home);
  const trace = join(folder, `trace-${calls}`);
  const args = ["-p", "go", "--model", DEFAULT_MODEL, "--session-id", randomUUID()];
  await promisify(execFile)(
    "strace",
    ["-f", "-qq", "-s", "400", "-e", "trace=execve", "-o", trace, ...host.program, ...args],
    { cwd: host.project, env: claudeCodeEnv(host.home, join(folder, "tmp"), host.server.url) },
  );
  const lines = readFileSync(trace, "utf8").split("\n");
  const started = lines.filter((line) => line.includes("execve("));
  return started.flatMap((line) => /hook claude-code (\w+)/.exec(line)?.[1] ?? []).sort();
}

/** Background sessions have a program of their own, which would stay for the next one. */
function endDaemon(host: Resident): void {
  for (const name of readdirSync("/proc")) {
    const id = Number(name);
    if (!id || id === process.pid) continue;
    try {
      if (readFileSync(`/proc/${id}/environ`, "utf8").includes(host.home)) process.kill(id, "SIGKILL");
    } catch {
      // it ended meanwhile, or belongs to someone else
    }
  }
}
