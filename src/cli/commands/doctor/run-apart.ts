import { spawn } from "node:child_process";
import { realpathSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isRecord, parseBounded } from "../../../base/json.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { fail, type NamedFinding } from "./check.ts";
import { type Checked, LIMIT_MS, type NamedCheck, runCheck, tooLate } from "./checks.ts";

/**
 * Checks read files and indexes synchronously, so a disk that does not answer blocks the whole process. So checks run
 * in a separate process. If one is late, that process is killed, and another one runs the remaining checks.
 */

/** The variable with the names of checks, for the process that runs them. */
const WANTED = "CONTINUO_DOCTOR_CHECKS";
/** An asynchronous check ends by itself at its limit; the process is killed a little later. */
const GRACE_MS = 5_000;

interface Apart {
  readonly file: string;
  readonly args: readonly string[];
  readonly graceMs?: number;
}

/** How to start this program again; undefined if another program runs this command, as in tests. */
export function thisProgram({ packageRoot }: Pick<World, "packageRoot">): Apart | undefined {
  try {
    const script = realpathSync(process.argv[1] ?? "");
    if (script !== realpathSync(join(packageRoot, "dist", "continuo.cjs"))) return undefined;
    return { file: process.execPath, args: [...process.execArgv, script, "doctor"] };
  } catch {
    return undefined; // the package is being replaced
  }
}

export async function runApart(
  checks: readonly NamedCheck[],
  program: Apart,
  world: Pick<World, "env" | "cwd" | "progress">,
): Promise<Checked[]> {
  const done: Checked[] = [];
  for (let rest = checks; rest.length > 0; rest = checks.slice(done.length)) {
    done.push(...(await runSome(rest, program, world)));
  }
  return done;
}

/** At least one finding: if the first check gives no answer, that is its finding. */
function runSome(
  checks: readonly NamedCheck[],
  { file, args, graceMs = GRACE_MS }: Apart,
  { env, cwd, progress }: Pick<World, "env" | "cwd" | "progress">,
): Promise<Checked[]> {
  return new Promise((resolve) => {
    const done: Checked[] = [];
    const wanted = { ...env, [WANTED]: checks.map(({ name }) => name).join(",") };
    const child = spawn(file, args, {
      cwd,
      env: wanted,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const waitFor = () => {
      clearTimeout(timer);
      const { about, limitMs = LIMIT_MS } = checks[done.length] ?? { about: "" };
      if (about !== "") progress?.(`Checking ${about} …`);
      timer = setTimeout(() => {
        isLate = true;
        child.kill("SIGKILL");
      }, limitMs + graceMs);
    };
    const finish = (why: string) => {
      clearTimeout(timer);
      const next = checks[done.length];
      if (next !== undefined) {
        const { name, about, limitMs = LIMIT_MS } = next;
        const failed = fail(name, `${about} could not be checked: ${why}`, "please report this");
        done.push({ name, findings: [isLate ? tooLate(name, about, limitMs + graceMs) : failed] });
      }
      resolve(done);
    };
    waitFor();
    createInterface({ input: child.stdout }).on("line", (line) => {
      const checked = readLine(line);
      if (checked?.name !== checks[done.length]?.name || checked === undefined) return;
      done.push(checked);
      waitFor();
    });
    child.on("error", (error) => finish(error.message));
    child.on("close", (code, signal) => finish(`its process ended (${signal ?? `code ${code}`})`));
  });
}

function readLine(line: string): Checked | undefined {
  try {
    const value: unknown = parseBounded(line);
    return isRecord(value) && Array.isArray(value["findings"]) ? (value as unknown as Checked) : undefined;
  } catch {
    return undefined; // other output
  }
}

/** The checks that this process was started for; undefined if a user started it. */
export function wantedChecks(
  checks: readonly NamedCheck[],
  env: NodeJS.ProcessEnv,
): readonly NamedCheck[] | undefined {
  const names = env[WANTED]?.split(",");
  return names === undefined ? undefined : checks.filter(({ name }) => names.includes(name));
}

/** Runs them in sequence, and reports each as soon as it is done. */
export async function tellChecks(
  checks: readonly NamedCheck[],
  world: World,
  home: Home | undefined,
): Promise<undefined> {
  const { progress: _, ...quiet } = world;
  for (const check of checks) {
    const findings = await runCheck(check, quiet, home);
    writeSync(1, `${JSON.stringify({ name: check.name, findings: findings.map(sendable) })}\n`);
  }
  return undefined;
}

function sendable({ fix, ...finding }: NamedFinding): NamedFinding {
  return fix === undefined ? finding : { ...finding, canFix: true };
}
