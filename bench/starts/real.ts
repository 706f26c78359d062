import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Place } from "./situation.ts";

/** A real session, and five facts that its developer would want a new session to know the next day. */
export interface RealStart {
  readonly id: string;
  /** Below `more-sessions/` of the benchmark data. */
  readonly file: string;
  readonly repo: string;
  readonly format: "claude-code" | "codex";
  readonly now: string;
  readonly facts: readonly {
    readonly fact: string;
    readonly kind: string;
    readonly keywords: readonly string[];
  }[];
}

const DATA = process.env["CONTINUO_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../../shared/bench");

/** The starts of a half; undefined if the transcripts are not on this machine. */
export function realStarts(half: string): readonly RealStart[] | undefined {
  if (!existsSync(join(DATA, "more-sessions"))) return undefined;
  const path = join(import.meta.dirname, "real", `${half}.json`);
  return (JSON.parse(readFileSync(path, "utf8")) as { starts: RealStart[] }).starts;
}

/** A machine with an empty clone of the project and this one session in it, a day old. Nothing of the project's code is there. */
export function buildReal(folder: string, start: RealStart): Place {
  const user = join(folder, "user");
  const root = join(user, "work", start.repo.split("/")[1] ?? "");
  const env = { HOME: user, CONTINUO_HOME: join(user, ".continuo"), PATH: process.env["PATH"] ?? "" };
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env, stdio: "ignore" });
  git("init", "-q");
  git("remote", "add", "origin", `https://github.com/${start.repo}`);
  const text = gunzipSync(readFileSync(join(DATA, "more-sessions", start.file))).toString();
  const path = join(user, start.format === "codex" ? codexPath(text) : claudePath(root, text));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text.replaceAll(folderIn(text), root));
  const at = Date.parse(start.now) / 1000 - 86_400;
  utimesSync(path, at, at);
  return { root, env };
}

/** Where the session worked: the outermost of its folders above the one that it is in most of the time. */
function folderIn(text: string): string {
  const times = new Map<string, number>();
  for (const [, cwd = ""] of text.matchAll(/"cwd":\s*"((?:[^"\\]|\\.)*)"/g))
    times.set(cwd, (times.get(cwd) ?? 0) + 1);
  const [most = ["/nowhere"]] = [...times].sort(([, a], [, b]) => b - a);
  return [...times.keys()].reduce(
    (folder, cwd) => (folder.startsWith(`${cwd}/`) ? cwd : folder),
    most[0] ?? "",
  );
}

function claudePath(root: string, text: string): string {
  const id = /"sessionId":\s*"([0-9a-f-]{36})"/.exec(text)?.[1] ?? "11111111-0000-4000-8000-000000000001";
  return join(".claude/projects", root.replace(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
}

function codexPath(text: string): string {
  const id = /"id":\s*"([0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
  const [, day = "", time = ""] = /"timestamp":\s*"([\d-]{10})T([\d:]{8})/.exec(text) ?? [];
  const name = `rollout-${day}T${time.replaceAll(":", "-")}-${id}.jsonl`;
  return join(".codex/sessions", day.replaceAll("-", "/"), name);
}
