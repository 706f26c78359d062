import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import type { WebEvent } from "../../api/events.ts";
import type { Web } from "../web.ts";

/** Keeps the index of past sessions up to date while a page is open. */
interface IndexKeeper {
  /** Call it when something may be new: a page was opened, a session continued. */
  nudge(): void;
  /** Call it when the index's files changed: another process may have indexed something. */
  changed(): void;
  close(): void;
}

export interface KeeperOptions {
  readonly isPageOpen: () => boolean;
  /** The command that indexes everything; undefined if this server indexes nothing. */
  readonly command?: readonly string[];
  /** The minimum time between two runs. */
  readonly everyMs?: number;
}

type ImportEvent = Extract<WebEvent, { type: "import" }>;

const EVERY_MS = 60_000;
/** A process that indexes writes many times a second, so check at most this often. */
const LOOK_MS = 1000;
const PROGRESS = /^(\d{1,9}) of (\d{1,9}) sessions/gm;

/** `continuo sessions index` of this package; undefined in a checkout that is not built. */
export function indexCommand(packageRoot: string): readonly string[] | undefined {
  const script = join(packageRoot, "dist", "continuo.cjs");
  return existsSync(script) ? [process.execPath, script, "sessions", "index", "--json"] : undefined;
}

/**
 * Indexes in a separate process: just finding what is new among thousands of files would block this one for too long,
 * and that process's memory is freed when it ends.
 */
export function createIndexKeeper(
  web: Web,
  { isPageOpen, command, everyMs = EVERY_MS }: KeeperOptions,
): IndexKeeper {
  let child: ReturnType<typeof spawn> | undefined;
  let lastRun = Number.NEGATIVE_INFINITY;
  let next: NodeJS.Timeout | undefined;
  let look: NodeJS.Timeout | undefined;
  let signature: string | undefined;
  let isClosed = false;
  /** The last event, if it says that there is more to read. */
  let unfinished: ImportEvent | undefined;

  const publish = (event: ImportEvent): void => {
    unfinished = event.isComplete ? undefined : event;
    web.publish(event);
  };
  // Also if nothing changed since the last event, or it cannot be read now: otherwise the page would show "reading"
  // forever.
  const end = async (): Promise<void> => {
    await publishIfChanged(true);
    if (!isClosed && unfinished !== undefined && child === undefined)
      publish({ ...unfinished, isComplete: true });
  };
  const run = ([program = "", ...args]: readonly string[]): void => {
    lastRun = performance.now();
    const { env, cwd } = web;
    const running = spawn(program, args, {
      env,
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
      windowsHide: true,
    });
    child = running;
    running.on("error", (error) => web.report("web-index", error.message));
    running.on("close", () => {
      child = undefined;
      void end();
    });
    running.stderr?.setEncoding("utf8").on("data", (text: string) => {
      const [, done, total] = [...text.matchAll(PROGRESS)].at(-1) ?? [];
      if (done === undefined || isClosed) return;
      publish({ type: "import", done: Number(done), total: Number(total), isComplete: false });
    });
    try {
      if (running.pid !== undefined) setPriority(running.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It has already ended, or the system has no priorities.
    }
  };
  const publishIfChanged = async (isComplete: boolean): Promise<void> => {
    if (isClosed || !isPageOpen()) return;
    try {
      const sessions = await web.sessions();
      if (isClosed) return;
      const size = sessions.size();
      const [newest] = sessions.list({ limit: 1 });
      const now = [
        size.sessions,
        size.passages,
        newest?.host,
        newest?.id,
        newest?.modified,
        newest?.name,
      ].join(" ");
      if (now === signature) return;
      signature = now;
      publish({ type: "import", done: size.sessions, total: size.sessions, isComplete });
    } catch (error) {
      const { code, message } = describeError(error);
      if (code !== "index-busy") web.report("web-index", message);
    }
  };

  return {
    nudge() {
      if (isClosed || command === undefined || child !== undefined || next !== undefined || !isPageOpen())
        return;
      if (!sessionsSettings(web.home, web.env).index) return;
      const wait = lastRun + everyMs - performance.now();
      if (wait <= 0) run(command);
      else
        next = setTimeout(() => {
          next = undefined;
          if (!isClosed && isPageOpen()) run(command);
        }, wait).unref();
    },
    changed() {
      if (isClosed || !isPageOpen()) return;
      look ??= setTimeout(() => {
        look = undefined;
        void publishIfChanged(child === undefined);
      }, LOOK_MS).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(next);
      clearTimeout(look);
      child?.kill();
    },
  };
}
