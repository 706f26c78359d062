import { accessSync, constants } from "node:fs";
import { HOST_PROCESS, START_AGAIN, STARTED_AGAIN, STOPPED } from "./host-process.ts";

const SHELL = "/bin/sh";

/** The most restarts: a server that fails more often has a fault. */
const MOST = 20;

/**
 * A server in an endless loop is killed, and restarted. Normal servers use a few milliseconds for each call. This is
 * the soft limit; programs that the server starts for rules lift it (`sources/rules/run/start-runs.ts`).
 */
const CPU_SECONDS = 120;

/**
 * Starts the command in its arguments, and restarts it on the same pipes when it was killed, so that the host notices
 * nothing. Claude Code does not restart a dead server, and shows an error at every hook for the rest of the session.
 * Signals from the host are passed on, and end the script. If the first process fails by itself, it is not restarted:
 * the host should know. One malloc arena for all threads saves 14 MB with glibc; other systems ignore the variable.
 *
 * Claude Code interrupts its servers when it ends, and when the user disables one. Only afterwards can the two be told
 * apart: if Claude Code still runs, a separate process checks and turns the hooks that call the server into commands
 * (`no-server.ts`). The server could not do this itself: it may be busy, and is killed a tenth of a second after the
 * interrupt.
 */
const SCRIPT = `export ${HOST_PROCESS}=$PPID MALLOC_ARENA_MAX=\${MALLOC_ARENA_MAX:-1}
exec 3<&0
look() {
  sleep 1
  kill -0 $${HOST_PROCESS} && export ${STOPPED}=1 && exec "$@"
}
trap 'stop=1; kill -INT $worker; (look "$@" </dev/null >/dev/null 2>&1 3<&- &)' INT
trap 'stop=1; kill -TERM $worker' TERM
left=${MOST}
while :; do
  (ulimit -S -t ${CPU_SECONDS}; exec "$@") <&3 3<&- & worker=$!
  wait $worker; code=$?
  while kill -0 $worker 2>/dev/null; do wait $worker; code=$?; done
  [ -z "$stop" ] && [ $code -ne 0 ] && [ $left -gt 0 ] || exit $code
  if [ $code -le 128 ] && [ $code -ne ${START_AGAIN} ]; then
    [ $left -lt ${MOST} ] || exit $code
    sleep 1
  fi
  left=$((left - 1))
  export ${STARTED_AGAIN}=1
done`;

/**
 * Replaces this process, which Claude Code started as its MCP server, by a shell that starts the server. Returns if
 * this process is that server already, or where this is not supported: Windows, Bun, another host.
 */
export function runInShell(env: NodeJS.ProcessEnv): void {
  if (env[HOST_PROCESS] !== undefined || !env["CLAUDECODE"] || process.execve === undefined) return;
  try {
    accessSync(SHELL, constants.X_OK);
  } catch {
    return; // no shell: the server runs without it
  }
  const args = [
    SHELL,
    "-c",
    SCRIPT,
    "continuo",
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ];
  process.execve(SHELL, args, env as Record<string, string>);
}
