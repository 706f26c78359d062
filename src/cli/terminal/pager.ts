import type { SpawnSyncOptions } from "node:child_process";
import { isAbsolute } from "node:path";
import { systemCode } from "../../base/errors.ts";
import { findProgram, pathOutsideProjects } from "../../store/find-program.ts";
import { workingFolder } from "../../store/folder.ts";
import type { Screen } from "./screen.ts";
import { widthOf } from "./width.ts";

interface Reader {
  readonly env: NodeJS.ProcessEnv;
  readonly screen: Screen;
  readonly platform: NodeJS.Platform;
  isatty(descriptor: number): boolean;
}

/** `-F` exits at once if everything fits, `-R` keeps colours, `-X` leaves the text on the screen. */
const USUAL = "less -FRX";
/** Otherwise `less` shows only a colon, and users who do not know it type the next command into it. */
const LESS_PROMPT = "-Ps?e(end) q\\: back:Space\\: next page, q\\: back.";
const STOPPED_BY = ["SIGTERM", "SIGHUP", "SIGQUIT"] as const;
/** Exit codes of pagers that were ended with Ctrl-C. */
const ENDED_BY_PERSON = [2, 130];

/**
 * Shows a text that is longer than the screen in the user's pager. Returns false if it did not: nobody is at the
 * terminal, the text is short, no pager is wanted or it could not be started. The caller then prints the text.
 */
export function page(text: string, reader: Reader): boolean {
  const pager = pagerFor(reader);
  if (pager === undefined || !isLong(text, reader.screen)) return false;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  // Ctrl-C is for the pager. Without a listener it would end this process, and the pager and the shell would both read
  // keys.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  // The same goes for other signals. They end this process once the pager has restored the terminal.
  forgetSignals();
  for (const signal of STOPPED_BY) process.on(signal, stopped);
  try {
    const options: SpawnSyncOptions = {
      input: text,
      stdio: ["pipe", "inherit", "inherit"],
      env: {
        ...reader.env,
        LESSCHARSET: reader.env["LESSCHARSET"] ?? "utf-8",
        LESS: reader.env["LESS"] ?? LESS_PROMPT,
        // No key in the pager may start a program or write a file, in case the user types the next command too early.
        LESSSECURE: reader.env["LESSSECURE"] ?? "1",
        LESSHISTFILE: reader.env["LESSHISTFILE"] ?? "-", // keeps no search history in the home
      },
    };
    // Never runs a project's program that happens to be on the PATH.
    const [name = "", ...args] = pager.split(" ");
    const search = { env: reader.env, near: [workingFolder()] };
    const program = isAbsolute(name) ? name : findProgram(name, search);
    const isPlain = /^[\w./+-]+( [\w./=:,+-]+)*$/.test(pager);
    if (isPlain && program === undefined) return false;
    // The user's own variable may contain quotes, and is then run by a shell, as in every program.
    const done =
      program !== undefined && isPlain
        ? spawnSync(program, args, options)
        : spawnSync(pager, {
            ...options,
            env: { ...options.env, PATH: pathOutsideProjects(search) },
            shell: true,
          });
    // The user left the pager before it had read everything.
    if (done.signal !== null || systemCode(done.error) === "EPIPE") return true;
    return done.status === 0 || ENDED_BY_PERSON.includes(done.status ?? -1);
  } finally {
    process.off("SIGINT", ignore);
    setImmediate(forgetSignals); // a signal that arrived meanwhile is handled first
  }
}

function stopped(signal: NodeJS.Signals): void {
  forgetSignals();
  process.kill(process.pid, signal);
}

function forgetSignals(): void {
  for (const signal of STOPPED_BY) process.off(signal, stopped);
}

/** The pager's command line; undefined if none should be used. */
export function pagerFor({ env, platform, isatty }: Reader): string | undefined {
  if (!isatty(0) || !isatty(1)) return undefined;
  if (env["CONTINUO_NO_PAGER"]) return undefined;
  // A dumb terminal cannot scroll back, and a pager would only print a warning.
  if (env["TERM"] === "dumb" || (platform !== "win32" && !env["TERM"])) return undefined;
  const chosen = env["PAGER"]?.trim();
  if (chosen === undefined) return platform === "win32" ? undefined : USUAL;
  if (chosen === "" || chosen === "cat") return undefined;
  return chosen === "less" ? USUAL : chosen;
}

/** Whether a text has more lines than the screen, with one line left for the shell's prompt. */
export function isLong(text: string, { width, height }: Screen): boolean {
  let lines = 0;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    lines += Math.max(1, Math.ceil(widthOf(withoutColours(line)) / width));
    if (lines >= height) return true;
  }
  return false;
}

function withoutColours(line: string): string {
  return line.replace(/\u001b\[\d+m/g, "");
}
