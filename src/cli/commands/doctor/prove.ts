import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unique } from "../../../base/fingerprint.ts";
import type { Finding, Probe } from "../../../hosts/port/installer.ts";
import { readHealth } from "../../../store/health.ts";
import { homeAt } from "../../../store/home.ts";

const LIMIT_MS = 15_000;

/** Runs one part of the wiring as its host does, in a temporary home and project. */
export async function prove(probe: Probe, env: NodeJS.ProcessEnv, limitMs = LIMIT_MS): Promise<Finding> {
  const place = makePlace(env);
  try {
    const { what, command, bare, isProof } = trialFor(probe, place);
    const attempt = async (how: ChildCommand) => {
      const ran = await runBounded(how, place, limitMs);
      return { ran, works: !ran.late && ran.code === 0 && isProof(ran.stdout) };
    };
    const asWired = await attempt(command);
    if (asWired.works) return { status: "ok", detail: `${what} works (${asWired.ran.ms} ms)`, mend: "" };
    const alone = bare === undefined || asWired.ran.late ? undefined : await attempt(bare);
    const why = alone?.works === true ? "fails in the host's shell, but works without it" : undefined;
    return {
      status: "fail",
      detail: `${what} ${why ?? whatHappened((alone ?? asWired).ran, place)}`,
      mend: `run continuo install again; if that does not help, run this yourself: ${whatRuns(probe)}`,
    };
  } finally {
    rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly since: string;
  /** A word from a rule of the test project, which a working hook prints. */
  readonly word: string;
}

interface Trial {
  readonly what: string;
  readonly command: ChildCommand;
  /** The same command without the shell guard, which hides the reason for a failure. */
  readonly bare?: ChildCommand;
  isProof(stdout: string): boolean;
}

function trialFor(probe: Probe, { project, word }: Place): Trial {
  switch (probe.kind) {
    case "hook": {
      const input = JSON.stringify(probe.payload(project));
      const { runtime, script, args } = probe.launch;
      const bare = { file: runtime, args: [script, ...args], input };
      const command =
        probe.shell === false ? bare : { file: probe.command, args: [], shell: probe.shell, input };
      return { what: "its hook", command, bare, isProof: (stdout) => stdout.includes(word) };
    }
    case "mcp": {
      const { command: file, args } = probe;
      const command = { file, args, input: `${JSON.stringify(INITIALIZE)}\n`, until: /\n/ };
      return { what: "its MCP server", command, isProof: (stdout) => /"serverInfo"/.test(stdout) };
    }
    case "module": {
      const command = { file: process.execPath, args: importing(probe.path, probe.exports), input: "" };
      return { what: "its plugin file", command, isProof: () => true };
    }
  }
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "continuo-doctor", version: "1" },
  },
};

function importing(path: string, exports: string): string[] {
  const script = `
    const { pathToFileURL } = await import("node:url");
    const { default: it } = await import(pathToFileURL(process.argv[1]).href);
    if (${exports}) process.exit(0);
    console.error("its default export is not what the host calls");
    process.exit(1);`;
  return ["--input-type=module", "-e", script, path];
}

function makePlace(env: NodeJS.ProcessEnv): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "continuo-doctor-")));
  const [home, project, temporary] = [join(root, "home"), join(root, "project"), join(root, "tmp")];
  const rules = join(project, ".continuo", "rules");
  for (const folder of [home, rules, temporary]) mkdirSync(folder, { recursive: true });
  const word = `proof-${unique()}`;
  writeFileSync(join(rules, "doctor.md"), `The wiring works: ${word}.\n`);
  // Variables set by the user or an enclosing session point to other folders.
  const kept = Object.entries(env).filter(
    ([name]) => !/^((CONTINUO|CLAUDE|CODEX|COPILOT|GEMINI|OPENCODE|XDG)_|INIT_CWD$|CLAUDECODE$)/.test(name),
  );
  const own = { HOME: home, USERPROFILE: home, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  return {
    root,
    home: join(home, ".continuo"),
    project,
    env: { ...Object.fromEntries(kept), ...own, CONTINUO_HOME: join(home, ".continuo") },
    since: new Date().toISOString(),
    word,
  };
}

function whatHappened({ code, stdout, stderr, ms, late }: ChildResult, { home, since }: Place): string {
  // The health log that is used without a home is shared by all processes.
  const last = readHealth(homeAt(home).logs).records.findLast(({ at }) => at >= since);
  const output = (stderr.trim() || stdout.trim()).replace(/\s+/g, " ").slice(0, 300);
  const detail = output === "" ? "" : `: ${output}`;
  if (late) return `did not finish within ${ms} ms${detail}`;
  if (code === null) return `could not be started${detail}`;
  if (code !== 0) return `exited with code ${code} after ${ms} ms${detail}`;
  // Continuo's hooks always exit with 0 and record the reason in the health log.
  if (last !== undefined) return `gave no answer after ${ms} ms (${last.code}: ${last.message})`;
  return `gave an unexpected answer after ${ms} ms${detail}`;
}

/** A hook without its shell guard, which would hide errors. */
function whatRuns(probe: Probe): string {
  if (probe.kind === "module") return probe.path;
  if (probe.kind === "mcp") return probe.command;
  return [probe.launch.runtime, probe.launch.script, ...probe.launch.args].join(" ");
}

interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** As in `spawn`: if set, the file is a command line for this shell. */
  readonly shell?: string | boolean;
  readonly input: string;
  /** Standard input stays open until the output matches this; otherwise it is closed after the input. */
  readonly until?: RegExp;
}

interface ChildResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Whether it was killed because it took too long. */
  readonly late: boolean;
}

const MAX_OUTPUT = 256 * 1024;

/**
 * Runs a program, and kills it with its children if it takes too long. Never rejects: a program that could not start
 * has no exit code.
 */
function runBounded(
  { file, args, shell = false, input, until }: ChildCommand,
  { project: cwd, env }: Place,
  limitMs: number,
): Promise<ChildResult> {
  const started = Date.now();
  const isPosix = process.platform !== "win32";
  return new Promise((resolve) => {
    // In its own process group, a shell can be killed together with its children.
    const child = spawn(file, args, { cwd, env, shell, detached: isPosix, windowsHide: true, stdio: "pipe" });
    const output = { stdout: "", stderr: "" };
    let late = false;
    let answeredMs: number | undefined;
    const settle = (code: number | null) => {
      clearTimeout(timer);
      resolve({ code, ...output, ms: answeredMs ?? Date.now() - started, late });
    };
    const timer = setTimeout(() => {
      late = true;
      killTree(child);
      // A grandchild that left the group could keep the pipes open forever.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        settle(null);
      }, 500).unref();
    }, limitMs);
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        output[name] = (output[name] + chunk).slice(0, MAX_OUTPUT);
        if (answeredMs === undefined && until?.test(output.stdout)) {
          answeredMs = Date.now() - started;
          child.stdin.end();
        }
      });
    }
    child.stdin.on("error", () => undefined); // the program may exit before it has read everything
    child.on("error", (error) => {
      output.stderr += error.message;
      settle(null);
    });
    child.on("close", settle);
    if (until === undefined) child.stdin.end(input);
    else child.stdin.write(input);
  });
}

function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has just exited.
  }
}
