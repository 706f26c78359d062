import { describe, expect, it, onTestFinished } from "vitest";
import type { SessionFile, TranscriptReader } from "../../src/moments/ports/history.ts";
import type { Turn } from "../../src/moments/ports/turn.ts";
import { startCodex } from "../hosts/codex/driver.ts";
import { startCopilot } from "../hosts/copilot/driver.ts";
import { startGemini } from "../hosts/gemini/driver.ts";
import { startDriver as startOpenCode } from "../hosts/opencode/driver.ts";
import { accounted } from "../hosts/shared/history/histories/reading.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { startClaudeCodeDriver as startClaudeCode } from "../support/claude-code-driver.ts";
import { codexProgram } from "../support/codex-program.ts";
import { copilotProgram } from "../support/copilot.ts";
import { compareEdits } from "../support/equal-edits.ts";
import { geminiProgram } from "../support/gemini.ts";
import { readerOf } from "../support/histories.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { originals } from "../support/originals.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { cliOf, OLD_PI, PI, type PiVersion, startPi } from "../support/pi.ts";
import { write } from "../support/world.ts";
import type { HostDriver } from "./host-driver.ts";

compareEdits();

interface Host {
  readonly name: string;
  readonly reader: TranscriptReader;
  start(): Promise<HostDriver>;
  /** Fails if the program is not available. */
  readonly found: Promise<unknown>;
  /** Whether a subagent has its own session or is part of its parent's; this driver of pi has none. */
  readonly child: "own" | "inside" | "none";
  /** Delivered in the system prompt, which no transcript has. */
  readonly keepsNoContext?: true;
  /** It writes messages again with other times, so which one is read depends on where reading began. */
  readonly writesAgain?: true;
}

async function pi(version: PiVersion): Promise<HostDriver> {
  const driver = await startPi(version);
  const sessions = driver.project.replace(/project$/, "sessions");
  return { ...driver, env: { HOME: driver.home, PI_CODING_AGENT_SESSION_DIR: sessions } };
}

async function opencode(): Promise<HostDriver> {
  const driver = await startOpenCode();
  return { ...driver, env: driver.host.env };
}

const HOSTS: readonly Host[] = [
  {
    name: "Claude Code",
    reader: readerOf("claude-code"),
    start: startClaudeCode,
    found: installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE),
    child: "own",
  },
  {
    name: "OpenCode",
    reader: readerOf("opencode"),
    start: opencode,
    found: installedPackage(OPENCODE_PACKAGE, OPENCODE),
    child: "own",
    keepsNoContext: true,
  },
  { name: "pi", reader: readerOf("pi"), start: () => pi(PI), found: cliOf(PI), child: "none" },
  { name: "pi 0.73", reader: readerOf("pi"), start: () => pi(OLD_PI), found: cliOf(OLD_PI), child: "none" },
  {
    name: "Copilot",
    reader: readerOf("copilot"),
    start: startCopilot,
    found: copilotProgram(),
    child: "inside",
  },
  { name: "Codex", reader: readerOf("codex"), start: startCodex, found: codexProgram(), child: "own" },
  {
    name: "Gemini",
    reader: readerOf("gemini"),
    start: startGemini,
    found: geminiProgram(),
    child: "own",
    writesAgain: true,
  },
];

const known = await Promise.all(
  HOSTS.map(async (host) => {
    const found = await orSkipReason(host.found);
    return { host, missing: typeof found === "object" && found !== null && "skip" in found };
  }),
);

describe.each(known)("the history that $host.name writes", ({ host, missing }) => {
  it.skipIf(missing)(
    "is read whole, while the host may run: prompts, a tool call, a subagent, a compaction",
    async () => {
      const driver = await host.start();
      onTestFinished(() => driver.dispose());
      write(driver.project, {
        ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
        "src/a.ts": "export const a = 1;\n",
      });
      const { session } = await driver.turn("read src/a.ts please", {
        replies: [{ read: "src/a.ts" }, { text: "It exports a." }],
      });
      const [main] = find(host, driver);
      const first = readAll(host.reader, main, driver.project);
      expect(saidBy(first.turns, "user")).toEqual(["read src/a.ts please"]);
      expect(saidBy(first.turns, "assistant").at(-1)).toBe("It exports a.");
      expect(first.turns.flatMap((turn) => turn.calls.flatMap((call) => call.files))).toEqual([
        { path: "src/a.ts", access: "read" },
      ]);
      expect(saidBy(first.turns, "tool").join()).toContain("export const a = 1;");
      const spent = first.turns.find((turn) => turn.usage !== undefined);
      expect(spent?.usage?.output).toBeGreaterThan(0);
      expect(spent?.model).toBeTypeOf("string");

      await driver.turn("delegate it", {
        session,
        replies: [{ delegate: "count the files" }, { text: "counted" }],
      });
      await driver.compact(session);
      await driver.turn("go on", { session, replies: [{ text: "went on" }] });

      // Reading continues where the first reading stopped, and gives the same as reading all at once.
      const files = find(host, driver);
      const whole = readFiles(host.reader, files, driver.project);
      if (files.length === 1) {
        const rest = readAll(host.reader, files[0], driver.project, first.report.resumeAt);
        const seen = host.writesAgain === true ? withoutPlace : (turns: readonly Turn[]) => turns;
        expect(byId(seen([...first.turns, ...rest.turns]))).toEqual(byId(seen(whole.turns)));
      }
      expect(saidBy(whole.turns, "user")).toEqual(
        // Codex and Gemini compact at the next prompt.
        expect.arrayContaining(["read src/a.ts please", "delegate it", "go on"]),
      );
      expect(saidBy(whole.turns, "assistant").at(-1)).toBe("went on");
      expect(whole.turns.filter((turn) => turn.marks.compaction).map((turn) => turn.role)).toEqual([
        "summary",
      ]);
      expect(whole.report).toMatchObject({
        unknown: {},
        damaged: 0,
        oversized: 0,
        pending: 0,
        otherBranches: [],
      });
      expect(accounted(whole.report)).toBe(whole.report.lines);

      const ours = whole.turns.filter((turn) => turn.marks.ours);
      if (!host.keepsNoContext) expect(ours.length).toBeGreaterThan(0);
      for (const turn of whole.turns) expect(turn.text).not.toContain("MARK-ALWAYS");

      const header = host.reader.headerOf(main);
      expect(header.cwd).toBe(driver.project);
      expect(header.startedAt).toBeGreaterThan(Date.now() - 600_000);
      child(host, driver, main, whole.turns);
    },
  );
});

function child(host: Host, driver: HostDriver, main: SessionFile, turns: readonly Turn[]): void {
  const inside = turns.filter((turn) => turn.marks.sidechain);
  expect(inside.map((turn) => turn.text).includes("count the files")).toBe(host.child === "inside");
  if (host.child !== "own") return;
  const others = host.reader.discover(driver.env).filter((file) => file.id !== main.id);
  const children = others.filter((file) => host.reader.headerOf(file).parent === main.id);
  expect(children).toHaveLength(1);
  const said = children.flatMap((file) => readAll(host.reader, file, driver.project).turns);
  expect(said.every((turn) => turn.marks.sidechain)).toBe(true);
  expect(said.map((turn) => turn.text)).toContain("count the files");
}

/** The session without a parent. Gemini begins another file when it resumes a session in a later minute. */
function find(host: Host, driver: HostDriver): [SessionFile, ...SessionFile[]] {
  const failures: string[] = [];
  const files = host.reader.discover(driver.env, { onFailure: (reason) => failures.push(reason) });
  expect(failures).toEqual([]);
  const [main, ...others] = files
    .filter((file) => host.reader.headerOf(file).parent === undefined)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (main === undefined) throw new Error(`${host.name} left no history`);
  expect(others.filter(({ id }) => host.reader.host !== "gemini" || id !== main.id)).toEqual([]);
  return [main, ...others];
}

function readFiles(reader: TranscriptReader, files: readonly SessionFile[], root: string) {
  const seen = new Set<string>();
  const readings = files.map((file) => readAll(reader, file, root));
  const turns = readings.flatMap((reading) => [...originals(reading.turns, seen)]);
  const report = readings.at(-1)?.report;
  if (report === undefined) throw new Error("no file was read");
  return { turns, report };
}

function readAll(reader: TranscriptReader, file: SessionFile, root: string, from = 0) {
  const reading = reader.read(file, { from, root });
  const turns = [...reading];
  const report = reading.report();
  expect(report.failure).toBeUndefined();
  return { turns, report };
}

/** The texts of one role in the session itself, without injected ones. */
function saidBy(turns: readonly Turn[], role: Turn["role"]): string[] {
  return turns
    .filter(
      (turn) => turn.role === role && !turn.marks.machineMade && !turn.marks.sidechain && turn.text !== "",
    )
    .map((turn) => turn.text);
}

function withoutPlace(turns: readonly Turn[]): Turn[] {
  return turns.map(({ at: _at, ...turn }) => ({ ...turn, offset: 0 }));
}

function byId(turns: readonly Turn[]): Map<string, Turn> {
  return new Map(turns.map((turn) => [turn.id, turn]));
}
