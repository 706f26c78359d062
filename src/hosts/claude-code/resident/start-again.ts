import { accessSync, constants } from "node:fs";
import { HOST_PROCESS, START_AGAIN, STARTED_AGAIN, STOPPED } from "./host-process.ts";

const SHELL = "/bin/sh";

/** More restarts than this are no accident. */
const MOST = 20;

/**
 * A server that loops for ever is ended, and started again. Others use a few milliseconds for each call. The soft limit: what
 * the server starts for rules lifts it (`sources/rules/run/launch.ts`).
 */
const CPU_SECONDS = 120;

/**
 * Starts what its arguments say, and again on the same pipes when it was killed: the host notices nothing. Claude Code does
 * not start a server again that died, and then shows an error at every hook for the rest of the session. Signals from the
 * host are handed on, and end it. A first process that fails by itself is not tried again: the host is to know.
 * One arena for all threads saves 14 MB with glibc; other systems ignore the variable.
 *
 * Claude Code interrupts its servers when it ends, and when the user switches one off. Which of both it is shows later: if
 * Claude Code still runs then, a process looks and makes hooks that call the server commands (`no-server.ts`). The server
 * could not see to it: it may be busy, and is killed a tenth of a second after the interrupt.
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
 * Makes this process, which Claude Code started as its MCP server, a shell that starts the server. Returns if it is that
 * server already, or where there is no such thing: Windows, Bun, another host.
 */
export function runInShell(env: NodeJS.ProcessEnv): void {
  if (env[HOST_PROCESS] !== undefined || !env["CLAUDECODE"] || process.execve === undefined) return;
  try {
    accessSync(SHELL, constants.X_OK);
  } catch {
    return; // the server runs all the same
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
