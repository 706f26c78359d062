import { statSync } from "node:fs";
import { constants } from "node:os";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { inputOf } from "../../../moments/actions/words.ts";
import { type Resumable, resume, toResume } from "../../../sources/sessions/actions/resume.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import { findProgram, passedOver } from "../../../store/find-program.ts";
import { placeFor } from "../../actions/as-command.ts";
import type { Input, Outcome } from "../../command.ts";

export async function resumeHere(input: Input): Promise<Outcome> {
  const given = inputOf(resume, input.values, input.positionals.slice(1));
  return start(input, await toResume(given, placeFor(input)));
}

/** Runs the agent in this terminal until it ends, and returns its exit code. Never through a shell. */
export async function start(input: Input, { session, resumption, line }: Resumable): Promise<Outcome> {
  const { env } = input;
  const folder = resumption.cwd !== undefined && isFolder(resumption.cwd) ? resumption.cwd : undefined;
  const name = clipWithin(oneLine(shownName(session)), 60);
  const search = { env, near: folder === undefined ? [] : [folder] };
  const program = findProgram(resumption.program, search);
  if (program === undefined) {
    const skipped = passedOver(resumption.program, search);
    const where =
      skipped === undefined
        ? "was not found on the PATH"
        : `was found only ${skipped.where}: ${skipped.path}`;
    throw new ContinuoError("agent-missing", `${resumption.program} ${where}`, {
      hint: [`to resume "${name}" yourself:`, `  ${oneLine(line)}`],
    });
  }
  if (folder === undefined && resumption.cwd !== undefined)
    input.tell?.(`continuo: ${resumption.cwd} no longer exists, so ${resumption.program} starts here`);
  input.tell?.(`continuo: resuming "${name}"`);
  const cwd = folder ?? input.cwd;
  const exitCode = await run(program, resumption.args, cwd, { ...env, PWD: cwd });
  return { data: { ...session, command: line }, text: "", exitCode };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // absent or not accessible
  }
}

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: "inherit", shell: false });
    // Ctrl-C is for the agent, which shares the terminal. Signals that stop this process also stop the agent.
    const ignore = () => undefined;
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on("SIGINT", ignore);
    for (const signal of PASSED_ON) process.on(signal, pass);
    const done = () => {
      process.off("SIGINT", ignore);
      for (const signal of PASSED_ON) process.off(signal, pass);
    };
    child.on("error", (error) => {
      done();
      reject(
        new ContinuoError("agent-failed", `${program} cannot be started: ${describeError(error).message}`),
      );
    });
    child.on("close", (code, signal) => {
      done();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

const PASSED_ON = ["SIGTERM", "SIGHUP"] as const;
