import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { ledgerJournal } from "../../src/moments/state/ledger.ts";
import type { SessionState } from "../../src/moments/state/session-state.ts";
import { homeAt } from "../../src/store/home.ts";
import { readRecords } from "../../src/store/journal.ts";
import { isRunning } from "../../src/store/running.ts";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences, sharedPrefix } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CONTINUO, runScript } from "./child.ts";
import { DEFAULT_MODEL, startClaudeCode } from "./claude-code.ts";
import { claudeCodeScreen, leave } from "./claude-code-screen.ts";
import type { Terminal } from "./terminal.ts";
import { write } from "./world.ts";

/** Rules for a session whose hooks call the MCP server. */
const RULES = {
  ".continuo/rules/always.md": "RULE-ALWAYS stands.",
  ".continuo/rules/files.md": "---\nglobs: src/**/*.ts\n---\nRULE-FILES stands.",
  ".continuo/rules/docs.md": "---\nglobs: docs/**/*.md\n---\nRULE-DOCS stands.",
  ".continuo/rules/words.md": "---\nkeywords: [database]\n---\nRULE-WORDS stands.",
  "src/a.ts": "1\n",
  "docs/b.md": "2\n",
  "c.txt": "3\n",
};

export interface ResidentOptions {
  /** The usual timeouts, instead of those for slow machines: for servers that hang. */
  readonly isPatient?: boolean;
  /** Where Continuo's package is. */
  readonly script?: string;
}

/** Claude Code with hooks that call the MCP server, as `continuo install` writes them. */
export async function startResident({ isPatient = true, script = CONTINUO }: ResidentOptions = {}) {
  const queues: Record<"main" | "subagent", Reply[]> = { main: [], subagent: [] };
  const server = await startFakeAnthropic({
    respond: (request) => {
      const kind = classify(request);
      if (kind === "compaction") return { text: "<analysis>x</analysis>\n<summary>We read.</summary>" };
      if (kind !== "main" && kind !== "subagent") return { text: "ok" };
      return queues[kind].shift() ?? { text: "done" };
    },
  });
  onTestFinished(() => server.close());
  const host = await startClaudeCode({ git: true, server });
  onTestFinished(() => host.dispose());
  write(host.project, RULES);
  const folder = dirname(host.home);
  if (!isPatient) rmSync(join(host.home, ".continuo", "config.json"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // By its version the installation knows that hooks may call the server.
  symlinkSync(host.program[0] ?? "", join(bin, "claude"));
  const env = { HOME: host.home, TMPDIR: join(folder, "tmp"), PATH: `${bin}:/usr/bin:/bin` };
  const cli = async (...args: string[]) => {
    const done = await runScript(script, args, { env, cwd: host.project });
    expect(done.code, done.stderr).toBe(0);
    return done.stdout;
  };
  await cli("install", "claude-code");
  const home = homeAt(join(host.home, ".continuo"));
  const settings = join(host.home, ".claude", "settings.json");
  const callsServer = () => readFileSync(settings, "utf8").includes('"mcp_tool"');
  expect(callsServer()).toBe(true);

  /** The server's process, by the mark that hooks look at. */
  const worker = async (isWanted: (id: number) => boolean = () => true): Promise<number> =>
    until(() => {
      const [mark] = namesIn(join(home.root, "servers"));
      if (mark === undefined) return undefined;
      const id = Number(readFileSync(join(home.root, "servers", mark), "utf8").split("\n")[0]);
      return isRunning(id) && isWanted(id) ? id : undefined;
    });
  /** What the marks say that hooks look at. */
  const marks = () =>
    namesIn(join(home.root, "servers")).map((name) => readFileSync(join(home.root, "servers", name), "utf8"));
  /** The shell that starts the server again. */
  const shell = () => Number(marks()[0]?.split("\n")[1]);
  const state = (id: string): SessionState =>
    JSON.parse(readFileSync(join(home.state, "claude-code", `${id}.json`), "utf8"));

  return {
    ...host,
    env,
    cli,
    settings,
    callsServer,
    worker,
    marks,
    shell,
    state,
    replies: (main: Reply[], subagent: Reply[] = []) => Object.assign(queues, { main, subagent }),
    read: (path: string, delayMs?: number): Reply => ({
      toolUses: [{ name: "Read", input: { file_path: join(host.project, path) } }],
      ...(delayMs === undefined ? {} : { delayMs }),
    }),
    /** The requests of the conversation so far. */
    main: () => server.requests.filter((request) => classify(request) === "main"),
    /** Waits until the model has received this many requests of the conversation. */
    requests: (count: number) =>
      until(() =>
        server.requests.filter((request) => classify(request) === "main").length >= count ? true : undefined,
      ),
    /** The server needs this many seconds longer to start. */
    startServerLate(seconds: number) {
      const path = join(host.home, ".claude.json");
      const settings = JSON.parse(readFileSync(path, "utf8"));
      const entry = settings.mcpServers.continuo;
      entry.args = ["-c", `sleep ${seconds}; exec "$@"`, "late", entry.command, ...entry.args];
      entry.command = "/bin/sh";
      writeFileSync(path, JSON.stringify(settings));
    },
    /** Waits until the model has received this many results of tool calls. */
    toolResults: (count: number) =>
      until(() => {
        const raw = server.requests.at(-1)?.raw ?? "";
        return raw.split('"type":"tool_result"').length > count ? true : undefined;
      }),
    files: (id: string) => state(id).workingSet.map(({ path }) => path),
    ledger: () => readRecords(ledgerJournal(home)).records as Record<string, unknown>[],
    async run(prompt: string, session: { sessionId: string } | { resume: string }, args: string[] = []) {
      const done = await host.run({
        prompt,
        args: ["--permission-mode", "bypassPermissions", ...args],
        ...session,
      });
      expect(done.code, done.stderr).toBe(0);
      expect(done.stderr).toBe("");
      return done.requests.filter((request) => classify(request) === "main");
    },
    async screen(...args: string[]): Promise<Screen> {
      const terminal = await claudeCodeScreen(host, ["--model", DEFAULT_MODEL, ...args]);
      onTestFinished(() => terminal.close());
      const seen: string[] = [];
      const look = async (shows: RegExp) => {
        const text = await terminal.until(shows);
        seen.push(text);
        return text;
      };
      return {
        ...terminal,
        until: look,
        async ready() {
          await look(/\n❯/);
          await worker();
        },
        async send(prompt) {
          await terminal.type(prompt);
          await terminal.until(new RegExp(`❯\\s${prompt.slice(0, 20)}`));
          await terminal.press("Enter");
        },
        // Below the answer it says when the turn was done, which is after the hooks.
        answered: (answer) => look(new RegExp(`● ${answer}\\n[\\s\\S]*· done \\d`)),
        async leave(mayShowErrors = false) {
          await look(/[\s\S]/);
          await leave(terminal);
          const errors = /hook error|hook warning|not connected|timed out/;
          if (!mayShowErrors) for (const text of seen) expect(text).not.toMatch(errors);
        },
      };
    },
  };
}

export type Resident = Awaited<ReturnType<typeof startResident>>;

export interface Screen extends Terminal {
  /** Waits until a person can type and the server is connected. */
  ready(): Promise<void>;
  send(prompt: string): Promise<void>;
  /** Waits until the turn with this answer is over, its hooks included. */
  answered(answer: string): Promise<string>;
  /** Ends the program, and fails if it ever showed an error of a hook, unless the test has looked at that. */
  leave(mayShowErrors?: boolean): Promise<void>;
}

export function expectPrefix(requests: readonly ModelRequest[]): void {
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1];
    if (before === undefined) continue;
    expect(sharedPrefix(before, request), `request ${i}`).toEqual({
      system: true,
      tools: true,
      messages: true,
    });
  }
}

/** How often each mark is in a request. */
export function marksIn(request: ModelRequest | undefined): Record<string, number> {
  if (request === undefined) return {};
  const marks = ["ALWAYS", "FILES", "DOCS", "WORDS"];
  return Object.fromEntries(
    marks.flatMap((mark) => {
      const times = countOccurrences(request, `RULE-${mark} stands`);
      return times === 0 ? [] : [[mark, times]];
    }),
  );
}

/** Waits for as long as a test may take: what does not come fails it. */
export async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await sleep(25);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no server has been there yet
  }
}
