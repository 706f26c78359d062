import { renameSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError, describeError } from "../base/errors.ts";
import { isRecord, parseBounded } from "../base/json.ts";
import type { Home } from "./home.ts";
import { withLock } from "./lock.ts";
import { readTextIfAny } from "./read-file.ts";
import { writeFileAtomic } from "./write-file.ts";

/** Where a mute applies: in one session with its subagents, in one project, or everywhere. */
export type MuteScope =
  | { readonly in: "session"; readonly host: string; readonly session: string }
  | { readonly in: "project"; readonly project: string }
  | { readonly in: "everywhere" };

/** Something that the user does not want to be delivered. Only the user adds one: a repository's files cannot. */
export type Mute = MuteScope & {
  /** A source, such as `memory`, or one of its items: `rules/.continuo/rules/money.md`. */
  readonly what: string;
  readonly at: string;
  /** The item's title, to show. */
  readonly title?: string;
};

interface Mutes {
  readonly mutes: readonly Mute[];
  /** Set if the file cannot be used: nothing is muted until it is repaired. */
  readonly damage?: { readonly message: string; readonly hint: string; readonly isNewer: boolean };
}

const VERSION = 1;
const MAX_BYTES = 1024 * 1024;
const LOCK_WAIT_MS = 5_000;
const MAX_MUTES = 1_000;
/**
 * How many mutes of single sessions are kept: nobody removes them when the session is over, so the oldest are dropped.
 */
const MAX_OF_SESSIONS = 300;
const MAX_TEXT = 2_000;

const NOTHING: Mutes = { mutes: [] };

export function mutesFile({ root }: Pick<Home, "root">): string {
  return join(root, "mutes.json");
}

export function readMutes(home: Pick<Home, "root">): Mutes {
  let text: string | undefined;
  try {
    text = readTextIfAny(mutesFile(home), { maxBytes: MAX_BYTES });
  } catch (error) {
    return damaged(home, `cannot be read: ${describeError(error).message}`);
  }
  if (text === undefined || text.trim() === "") return NOTHING;
  let value: unknown;
  try {
    value = parseBounded(text);
  } catch {
    return damaged(home, "is not valid JSON");
  }
  if (!isRecord(value) || !Array.isArray(value["mutes"])) return damaged(home, "has no list of mutes");
  const { version } = value;
  if (typeof version === "number" && version > VERSION)
    return damaged(home, `is of version ${version}; this Continuo knows ${VERSION}`, true);
  const mutes = value["mutes"].filter(isMute);
  if (mutes.length < value["mutes"].length)
    return { ...damaged(home, "has an entry that is not a mute"), mutes };
  return { mutes };
}

/** Under a lock, so that concurrent commands lose nothing. Adding an existing mute changes nothing. */
export function addMute(home: Home, mute: Mute): Promise<void> {
  const given: unknown = mute;
  if (!isMute(given))
    throw new ContinuoError("mute-unknown", "what to mute has no name, or a very long one", {
      hint: "name a source, or an item as continuo why shows it",
    });
  return change(home, (before) => {
    if (before.some((one) => isSame(one, mute))) return before;
    const ofSessions = before.filter((one) => one.in === "session");
    const tooOld = new Set<Mute>(ofSessions.slice(0, Math.max(0, ofSessions.length + 1 - MAX_OF_SESSIONS)));
    const kept = before.filter((one) => !tooOld.has(one));
    if (kept.length >= MAX_MUTES)
      throw new ContinuoError("mutes-full", `there are ${MAX_MUTES} mutes already`, {
        hint: "remove some: continuo mutes, continuo unmute",
      });
    return [...kept, mute];
  });
}

/** Returns whether there was such a mute. */
export async function removeMute(home: Home, mute: MuteScope & Pick<Mute, "what">): Promise<boolean> {
  let found = false;
  await change(home, (before) => {
    const rest = before.filter((one) => !isSame(one, mute));
    found = rest.length < before.length;
    return found ? rest : before;
  });
  return found;
}

/** For a session that is forgotten. Does nothing if the file does not exist. */
export async function removeMutesOf(home: Home, host: string, session: string): Promise<void> {
  const isOf = (one: Mute) => one.in === "session" && one.host === host && one.session === session;
  if (!readMutes(home).mutes.some(isOf)) return;
  await change(home, (before) => before.filter((one) => !isOf(one)));
}

function change(home: Home, next: (before: readonly Mute[]) => readonly Mute[]): Promise<void> {
  return withLock(
    join(home.locks, "mutes"),
    () => {
      const { mutes, damage } = readMutes(home);
      if (damage?.isNewer === true)
        throw new ContinuoError("mutes-damaged", damage.message, { hint: damage.hint });
      const after = next(mutes);
      if (after === mutes) return;
      if (damage !== undefined) renameSync(mutesFile(home), `${mutesFile(home)}.damaged-${Date.now()}`);
      writeFileAtomic(mutesFile(home), `${JSON.stringify({ version: VERSION, mutes: after }, null, 2)}\n`);
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

export function isSame(a: MuteScope & Pick<Mute, "what">, b: MuteScope & Pick<Mute, "what">): boolean {
  if (a.what !== b.what) return false;
  if (a.in === "session" && b.in === "session") return a.host === b.host && a.session === b.session;
  if (a.in === "project" && b.in === "project") return a.project === b.project;
  return a.in === "everywhere" && b.in === "everywhere";
}

function isMute(value: unknown): value is Mute {
  if (!isRecord(value) || !isShort(value["what"]) || typeof value["at"] !== "string") return false;
  if (value["title"] !== undefined && typeof value["title"] !== "string") return false;
  if (value["in"] === "session") return isShort(value["host"]) && isShort(value["session"]);
  if (value["in"] === "project") return isShort(value["project"]);
  return value["in"] === "everywhere";
}

const isShort = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= MAX_TEXT;

function damaged(home: Pick<Home, "root">, why: string, isNewer = false): Mutes {
  const message = `${mutesFile(home)} ${why}; what cannot be read is not muted`;
  const hint = isNewer ? "update Continuo" : "correct or delete it, then mute again: continuo mute";
  return { ...NOTHING, damage: { message, hint, isNewer } };
}
