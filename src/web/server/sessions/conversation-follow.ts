import { type FSWatcher, watch } from "node:fs";
import type { SessionFile } from "../../../moments/ports/history.ts";
import type { SessionKey } from "../../../sources/sessions/session.ts";
import type { Web } from "../web.ts";

/** Sessions that pages asked about last. More are not followed: an open page has one. */
const MOST = 8;
/** A host writes many lines in a moment. */
const QUIET_MS = 150;

/**
 * Tells open pages when a transcript that they show has grown or is gone. Hosts that Continuo is not connected to write
 * no ledger, and those that are write it less often than their transcript.
 */
export function followTranscripts(web: Pick<Web, "publish" | "onClose" | "report">) {
  const followed = new Map<string, () => void>();
  web.onClose(() => {
    for (const stop of followed.values()) stop();
    followed.clear();
  });
  return (key: SessionKey, files: readonly SessionFile[]): void => {
    const name = JSON.stringify([key.host, key.id]);
    const known = followed.get(name);
    const newest = files.at(-1);
    if (known !== undefined || newest === undefined) {
      // Used last: moved to the end.
      if (known !== undefined && followed.delete(name)) followed.set(name, known);
      return;
    }
    const stop = followFile(newest, (reason) => {
      if (reason === "gone") {
        followed.get(name)?.();
        followed.delete(name);
      }
      web.publish({ type: "session", session: { host: key.host, id: key.id }, reason: "transcript" });
    });
    if (stop === undefined) return;
    followed.set(name, stop);
    if (followed.size <= MOST) return;
    for (const [oldest, end] of followed) {
      end();
      followed.delete(oldest);
      return;
    }
  };
}

function followFile(
  { path, key }: SessionFile,
  changed: (reason: "grown" | "gone") => void,
): (() => void) | undefined {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher;
  try {
    // A database's changes are in the file beside it.
    watcher = watch(key === undefined ? path : `${path}-wal`, { persistent: false });
  } catch {
    return undefined; // It is gone, or the system follows no more files: the page then asks when it is looked at.
  }
  const stop = (): void => {
    clearTimeout(timer);
    watcher.close();
  };
  watcher.on("error", stop);
  watcher.on("change", (event) => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      changed(event === "rename" ? "gone" : "grown");
    }, QUIET_MS).unref();
  });
  return stop;
}
