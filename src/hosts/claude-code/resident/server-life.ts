import { statSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../../../store/home.ts";
import { REQUESTS } from "../../names.ts";
import { HOST_PROCESS, hostProcess, START_AGAIN, STARTED_AGAIN } from "./host-process.ts";
import { type OpenRequests, openRequests } from "./open-requests.ts";
import { markServer } from "./server-marks.ts";

/** What a server does in its own process, from start to end, so that Claude Code's hooks can call it. */
interface ServerLife {
  /** Whether a shell started this server, and restarts it when it exits with `START_AGAIN`. */
  readonly isStartedByShell: boolean;
  /** Where it stores unanswered requests. Only for a server that can be restarted. */
  readonly requests: OpenRequests | undefined;
  /** Whether this server's package was replaced after it started. */
  isReplaced(): boolean;
  /** Marks that Claude Code's hooks can call this server from now on, and need no process. */
  markConnected(): void;
  /** Runs the work for one hook. A server whose package was replaced ends when all work is done. */
  during<T>(work: () => Promise<T>): Promise<T>;
  markEnded(): void;
}

/** How long a replaced server waits before it ends, so that its answer can be written. */
const SENT_MS = 50;

export function serverLife(
  home: Home,
  env: NodeJS.ProcessEnv,
  onFailure: (error: unknown) => void,
): ServerLife {
  const isStartedByShell = env[HOST_PROCESS] !== undefined;
  const isStartedAgain = env[STARTED_AGAIN] !== undefined;
  const host = hostProcess(env);
  const isReplaced = watchPackage(process.argv[1] ?? "");
  let underWay = 0;
  let markEnded: (() => void) | undefined;

  function markConnected(): void {
    if (markEnded !== undefined) return;
    markEnded = () => undefined;
    try {
      markEnded = markServer(home, host, process.pid, isStartedByShell ? process.ppid : undefined);
    } catch (error) {
      onFailure(error);
    }
    process.once("SIGINT", () => {
      markEnded?.();
      process.exit(0);
    });
  }

  // A restarted server gets no handshake.
  if (isStartedAgain) markConnected();
  return {
    isStartedByShell,
    requests: isStartedByShell
      ? openRequests(join(home.root, REQUESTS, String(host)), isStartedAgain)
      : undefined,
    isReplaced,
    markConnected,
    async during(work) {
      markConnected();
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        if (isStartedByShell && isReplaced())
          setTimeout(() => underWay === 0 && process.exit(START_AGAIN), SENT_MS);
      }
    },
    markEnded: () => markEnded?.(),
  };
}

function watchPackage(script: string): () => boolean {
  const first = stampOf(script);
  return () => {
    const now = stampOf(script);
    return now !== undefined && now !== first;
  };
}

function stampOf(path: string): string | undefined {
  try {
    const { ino, mtimeMs, size } = statSync(path);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return undefined; // the package is being replaced
  }
}
