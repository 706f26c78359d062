import { beModest, runChecks } from "../sources/rules/run/runner.ts";
import { failure, recordHealth } from "../store/health.ts";
import { findHome } from "../store/home.ts";

/** How long a runner that was asked to end gets to stop its commands. */
const GRACE_MS = 1000;

/** One runner process: runs what the sessions of one project requested, then ends. */
export function main(project: string): void {
  const { env } = process;
  const home = findHome(env);
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  process.on("uncaughtException", (error) => {
    recordHealth(home.logs, failure("run", error, Date.now()));
    process.exit(1);
  });
  beModest();
  void runChecks({ home, project, env, now: Date.now, graceMs: GRACE_MS, signal: stop.signal }).then(() =>
    process.exit(0),
  );
}
