import { linkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { unique } from "../../base/fingerprint.ts";
import type { Session } from "../../moments/types.ts";
import { fileNameFor, homeForHost } from "../../store/home.ts";
import { readText } from "../../store/read-file.ts";
import { writeFileAtomic } from "../../store/write-file.ts";
import type { EventKind, HookCall } from "../port/hook-host.ts";

/**
 * For a program that runs the hooks of several hosts at one event, in parallel or in sequence: the first one to come
 * answers this kind of event for the rest of the session. Needs no lock, because the file appears atomically, with its
 * content.
 */
export function comesFirst({ entryOf, env }: HookCall, kind: EventKind, { host, id }: Session): boolean {
  const file = join(homeForHost(env).home.state, host, `${fileNameFor(id)}.${kind}`);
  try {
    return (firstIn(file) ?? put(file, entryOf ?? host)) === (entryOf ?? host);
  } catch {
    return true; // nothing can be written there: answering twice is better than never
  }
}

function put(file: string, entry: string): string | undefined {
  const own = `${file}-${unique()}`;
  writeFileAtomic(own, entry, { durable: false });
  try {
    linkSync(own, file);
    return entry;
  } catch {
    return firstIn(file); // another was faster
  } finally {
    rmSync(own, { force: true });
  }
}

function firstIn(file: string): string | undefined {
  try {
    return readText(file, { maxBytes: 64 });
  } catch {
    return undefined; // no hook has come yet
  }
}
