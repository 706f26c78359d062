import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContinuoError, describeError, systemCode } from "../../base/errors.ts";
import { sessionsIndexPath } from "../../sources/sessions/indexing/schema.ts";
import { openSessions, type Sessions, type SessionsOptions } from "../../sources/sessions/library.ts";
import { sessionsSettings } from "../../sources/sessions/settings.ts";
import { identityOf } from "../../store/derived-index/damage.ts";
import { failure, recordHealth } from "../../store/health.ts";
import { findHome } from "../../store/home.ts";
import type { WebEvent } from "../api/events.ts";
import type { Web, WebWorld } from "./web.ts";

export interface ClosableWeb extends Web {
  /** Closes everything that areas opened. Never throws: failures are recorded. */
  close(): Promise<void>;
}

interface Library {
  readonly sessions: Promise<Sessions>;
  index?: string | undefined;
}

export function createWeb(world: WebWorld): ClosableWeb {
  const home = findHome(world.env);
  const notifies = new Set<(event: WebEvent) => void>();
  const closes: (() => void | Promise<void>)[] = [];
  const report = (code: string, message: string, hint?: string): void =>
    void recordHealth(
      home.logs,
      failure("web", new ContinuoError(code, message, hint === undefined ? {} : { hint }), world.now()),
    );
  /** The open library and its index file, which is unknown while it is being opened. */
  let library: Library | undefined;
  const open = async (): Promise<Sessions> => {
    const options = {
      home,
      env: world.env,
      history: await world.history(),
      now: world.now,
      keep: sessionsSettings(home, world.env).keep,
      onFailure: report,
    };
    const sessions = await openedSomewhere(options);
    closes.push(() => sessions.close());
    return sessions;
  };
  /** If the home cannot be written, known sessions are still shown. */
  const openedSomewhere = async (options: SessionsOptions): Promise<Sessions> => {
    try {
      return openSessions(options);
    } catch (error) {
      const { code, message, hint } = describeError(error);
      if (code !== "index-unwritable") throw error;
      report(code, message, hint);
      const spare = await spareIndex(sessionsIndexPath(home));
      closes.push(spare.remove);
      return openSessions({ ...options, index: spare.path });
    }
  };
  return {
    ...world,
    home,
    report,
    publish(event) {
      for (const notify of [...notifies]) {
        try {
          notify(event);
        } catch (error) {
          report("web-event", describeError(error).message);
        }
      }
    },
    subscribe(notify) {
      notifies.add(notify);
      return () => void notifies.delete(notify);
    },
    sessions() {
      // The index may be deleted or rebuilt at any time. Users of the old one may continue: it is closed with the
      // server.
      if (
        library !== undefined &&
        "index" in library &&
        identityOf(sessionsIndexPath(home)) !== library.index
      )
        library = undefined;
      if (library !== undefined) return library.sessions;
      const opening: Library = { sessions: open() };
      opening.sessions.then(
        () => {
          opening.index = identityOf(sessionsIndexPath(home));
        },
        // A failure, such as a busy index, is not cached: the next request tries again.
        () => {
          if (library === opening) library = undefined;
        },
      );
      library = opening;
      return opening.sessions;
    },
    onClose: (close) => void closes.push(close),
    async close() {
      for (const close of closes.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          report("web-close", describeError(error).message);
        }
      }
    },
  };
}

/** A larger index is not copied, and the list starts empty. */
const MOST_BYTES = 1024 * 1024 * 1024;

/**
 * Copies the index if the home cannot be written, because SQLite needs files beside it even for reading. The copy is in
 * a private temporary folder until the server ends.
 */
async function spareIndex(path: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "continuo-web-"));
  const spare = join(folder, "sessions.db");
  for (const end of ["", "-wal"]) {
    try {
      const stats = await stat(path + end);
      if (stats.isFile() && stats.size <= MOST_BYTES) await copyFile(path + end, spare + end);
    } catch (error) {
      // No index, or no permission to read it: the list starts empty.
      if (systemCode(error) === undefined) throw error;
    }
  }
  return { path: spare, remove: () => rm(folder, { recursive: true, force: true }) };
}
