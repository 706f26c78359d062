import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { pauses } from "../../../base/slices.ts";
import { type Activity, activityOf, isUnobserved, readTimes } from "../../../moments/state/activity.ts";
import { hostsIn, type SessionKey } from "../../../moments/state/session-meta.ts";
import { namesIn } from "../../../store/folder.ts";
import { fileNameFor } from "../../../store/home.ts";
import type { Web } from "../web.ts";
import { observedSince } from "./observed-since.ts";

/** What agents are doing, according to the states that hooks write. */
interface Activities {
  of(key: SessionKey): Activity | undefined;
  /**
   * Whether a script started it, according to its transcript, so that it waits for nobody. After one call, `of` knows
   * the answer.
   */
  isHeadless(key: SessionKey): Promise<boolean>;
  /** Sessions that nobody has looked at since they went idle. */
  unobserved(): Promise<readonly SessionKey[]>;
  /** Sessions whose agent is working. */
  working(): Promise<readonly SessionKey[]>;
}

type Times = Parameters<typeof activityOf>[0];

const timesIn = ({ startedAt, seenAt, idleAt, isEnded, observedAt, work }: Times): Times => ({
  startedAt,
  seenAt,
  ...(idleAt !== undefined && { idleAt }),
  ...(isEnded !== undefined && { isEnded }),
  ...(observedAt !== undefined && { observedAt }),
  ...(work !== undefined && { work }),
});

interface Known {
  readonly stamp: string;
  readonly key: SessionKey | undefined;
  readonly times: Times | undefined;
}

/** Only this many of the newest states are read to find unobserved ones: each has a few dozen kilobytes. */
const MOST_READ = 1000;
const MOST_KNOWN = 5000;
/** After this time, other requests get their turn. */
const SLICE_MS = 10;

const shared = new WeakMap<Web, Activities>();

/** One instance is shared by all areas of a server. */
export function activitiesOf(web: Web): Activities {
  const made = shared.get(web) ?? createActivities(web);
  shared.set(web, made);
  return made;
}

function createActivities(web: Web): Activities {
  const known = new Map<string, Known>();
  const pathOf = ({ host, id }: SessionKey): string => join(web.home.state, host, `${fileNameFor(id)}.json`);

  /** A state is read again only if its file changed. */
  const read = (path: string): Known | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) {
      known.delete(path);
      return undefined;
    }
    const stamp = stampOf(stats);
    const before = known.get(path);
    if (before?.stamp === stamp) return before;
    const state = readTimes(path);
    const session = state?.session;
    // Without the rest of the state: those of thousands of sessions would fill the memory.
    const times = state && timesIn(state);
    // Users do not look at a subagent's session.
    const key = session && session.parent === undefined ? { host: session.host, id: session.id } : undefined;
    const now: Known = { stamp, key, times };
    known.delete(path);
    known.set(path, now);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return now;
  };
  const headers = new Map<string, { readonly size: number; readonly isHeadless: boolean }>();
  const isHeadless = async (key: SessionKey): Promise<boolean> => {
    const file = (await web.sessions()).transcripts(key)[0];
    const reader = (await web.history()).get(key.host);
    if (file === undefined || reader === undefined) return false; // not written or not indexed yet
    const name = `${key.host} ${key.id}`;
    const before = headers.get(name);
    // A transcript that has just begun may not contain it yet.
    if (before !== undefined && (before.isHeadless || before.size === file.size)) return before.isHeadless;
    const found = { size: file.size, isHeadless: reader.headerOf(file, "beginning").isHeadless === true };
    if (headers.size >= MOST_KNOWN) headers.clear();
    headers.set(name, found);
    return found.isHeadless;
  };
  const activity = (one: Known | undefined): Activity | undefined => {
    if (one?.times === undefined || one.key === undefined) return undefined;
    const isHeadless = headers.get(`${one.key.host} ${one.key.id}`)?.isHeadless === true;
    return { ...activityOf(one.times, web.now()), ...(isHeadless ? { isHeadless } : {}) };
  };

  /** The newest states of all hosts, without those that `isWanted` excludes. */
  const among = async (since: number, isWanted: (one: Activity) => boolean): Promise<SessionKey[]> => {
    const recent: { path: string; at: number }[] = [];
    const othersIfLate = pauses(SLICE_MS);
    for (const host of hostsIn(web.home)) {
      const folder = join(web.home.state, host);
      for (const name of namesIn(folder)) {
        if (!name.endsWith(".json") || name.endsWith(".meta.json") || name.startsWith(".")) continue;
        const path = join(folder, name);
        const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        if (at >= since) recent.push({ path, at });
        await othersIfLate();
      }
    }
    const found: SessionKey[] = [];
    for (const { path } of recent.sort((a, b) => b.at - a.at).slice(0, MOST_READ)) {
      const one = read(path);
      const now = activity(one);
      if (one?.key !== undefined && now !== undefined && isWanted(now)) found.push(one.key);
      await othersIfLate();
    }
    return found;
  };

  let found: { at: number; keys: Promise<readonly SessionKey[]> } = {
    at: Number.NEGATIVE_INFINITY,
    keys: Promise.resolve([]),
  };
  web.onClose(
    web.subscribe(({ type }) => {
      if (type === "session" || type === "reset") found = { ...found, at: Number.NEGATIVE_INFINITY };
    }),
  );
  /** A script started by the user in a terminal is watched there; nobody waits for its answer here. */
  const ofPeople = async (keys: Promise<readonly SessionKey[]>): Promise<readonly SessionKey[]> => {
    const found: SessionKey[] = [];
    const othersIfLate = pauses(SLICE_MS);
    for (const key of await keys) {
      if (!(await isHeadless(key))) found.push(key);
      await othersIfLate();
    }
    return found;
  };
  return {
    of: (key) => activity(read(pathOf(key))),
    isHeadless,
    unobserved() {
      // Pages load a list in parts: do not check all states for each.
      if (web.now() - found.at < FRESH_MS) return found.keys;
      const since = observedSince(web);
      found = { at: web.now(), keys: ofPeople(among(since, (one) => isUnobserved(one, since))) };
      return found.keys;
    },
    working: () => among(web.now() - WORKING_MS, ({ doing }) => doing === "working"),
  };
}

const FRESH_MS = 2000;
/** Without a sign for longer than this, it is not working. */
const WORKING_MS = 60 * 60_000;

/** Includes the time of the inode's change, because a file's own time may have been set back. */
const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => `${ino}-${size}-${mtimeMs}-${ctimeMs}`;
