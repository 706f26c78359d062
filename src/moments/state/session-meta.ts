import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ContinuoError, describeError, systemCode } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { isRecord, parseBounded } from "../../base/json.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { withLock } from "../../store/lock.ts";
import { readBytes } from "../../store/read-file.ts";
import { writeFileAtomic } from "../../store/write-file.ts";
import type { Session } from "../types.ts";
import { cleanName } from "./session-name.ts";

/** Context sets: named lists of strings, the oldest item first. */
export type Context = Record<string, string[]>;

/** The fields of a session's metadata that Continuo uses. Other programs have more fields in the same file. */
export interface SessionMeta {
  /** The name that the user gave, which is stored only here; empty if there is none. */
  readonly name: string;
  readonly lastObservedAt?: string;
  readonly lastIdleAt?: string;
  /** What the agent, or a program for it, says that it is doing; `currentIntentAt` is when. */
  readonly currentIntent?: string;
  readonly currentIntentAt?: string;
  readonly envHint?: string;
  /** Whether it went idle and nobody has looked since. Stored, because it does not follow from the two times. */
  readonly unobserved?: boolean;
  readonly context?: Context;
}

/** A change: null removes a field, an absent field stays. */
export type MetaPatch = { readonly [K in keyof SessionMeta]?: SessionMeta[K] | null };

/** The metadata of a session that has no file. */
export const NO_META = { name: "" } as const;

/** A whole file as it was read, with unknown fields. */
export type RawMeta = Readonly<Record<string, unknown>>;

const TEXTS = ["lastObservedAt", "lastIdleAt", "currentIntent", "currentIntentAt", "envHint"] as const;

/** The file's object; undefined if the text is not an object. */
function parseMeta(text: string): RawMeta | undefined {
  let value: unknown;
  try {
    value = parseBounded(text);
  } catch {
    return undefined; // the caller copies the file and reports it
  }
  if (!isRecord(value)) return undefined;
  // A context that is not an object could not be changed without losing it.
  const context = value["context"];
  return context === undefined || context === null || isRecord(context) ? value : undefined;
}

/** The known fields that have the right type. */
export function metaOf(raw: RawMeta): SessionMeta {
  const meta: { -readonly [K in keyof SessionMeta]: SessionMeta[K] } = {
    name: typeof raw["name"] === "string" ? raw["name"] : "",
  };
  for (const field of TEXTS) {
    const value = raw[field];
    if (typeof value === "string") meta[field] = value;
  }
  if (typeof raw["unobserved"] === "boolean") meta.unobserved = raw["unobserved"];
  const sets = Object.entries(isRecord(raw["context"]) ? raw["context"] : {}).filter(
    (entry): entry is [string, string[]] => isSet(entry[1]) && entry[1].length > 0,
  );
  if (sets.length > 0) meta.context = Object.fromEntries(sets);
  return meta;
}

/** The file after a change. All other fields, even unknown ones, keep their value and place. */
export function patchMeta(raw: RawMeta | undefined, patch: MetaPatch): RawMeta {
  const after: Record<string, unknown> = { ...(raw ?? NO_META) };
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined || field === "context") continue;
    if (value === null) delete after[field];
    else after[field] = value;
  }
  if (!Object.hasOwn(after, "name")) after["name"] = ""; // other programs expect a name
  if (patch.context === undefined) return after;
  const context = patchContext(isRecord(after["context"]) ? after["context"] : {}, patch.context ?? {});
  if (Object.keys(context).length === 0) delete after["context"];
  else after["context"] = context;
  return after;
}

function patchContext(raw: Readonly<Record<string, unknown>>, wanted: Context): Record<string, unknown> {
  // The caller never saw sets of the wrong type, so it did not mean to remove them.
  const kept = Object.entries(raw).filter(([name, value]) => Object.hasOwn(wanted, name) || !isSet(value));
  const changed = Object.fromEntries([...kept, ...Object.entries(wanted)]);
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => !isSet(value) || value.length > 0));
}

function isSet(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

export interface MetaFile {
  readonly path: string;
  /** undefined if there is no file yet. Throws `meta-corrupt` if the file cannot be parsed. */
  read(): SessionMeta | undefined;
  /** Reads, changes and writes under a lock. Writes nothing if nothing changed. */
  update(change: (meta: SessionMeta) => MetaPatch | undefined): Promise<SessionMeta>;
}

export type SessionKey = Pick<Session, "host" | "id">;

const STRIPES = 64;
/** Metadata has a few kilobytes. A file of megabytes is something else, and reading it would take long. */
const MAX_BYTES = 4_000_000;

/** Such an id is a safe file name on every system: no dots, no separators, nothing encoded. */
export function isPlainId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id);
}

/** The user's home folder; undefined if the environment does not name it. */
export function folderOfUser(env: NodeJS.ProcessEnv): string | undefined {
  const home = env["HOME"] || env["USERPROFILE"];
  return home !== undefined && isAbsolute(home) ? home : undefined;
}

export function metaFile(
  home: Home,
  userHome: string | undefined,
  session: SessionKey,
  options: { readonly lockWaitMs: number },
): MetaFile {
  const path = metaPath(home, userHome, session);
  return {
    path,
    read() {
      const raw = readRaw(path);
      return raw && metaOf(raw);
    },
    update: (change) =>
      withLock(
        join(home.locks, `meta-${Number.parseInt(fingerprint(path).slice(0, 8), 16) % STRIPES}`),
        () => {
          const before = readRaw(path) ?? NO_META;
          const patch = change(metaOf(before));
          const after = patch === undefined ? before : patchMeta(before, patch);
          const text = JSON.stringify(after, null, 2);
          if (text !== JSON.stringify(before, null, 2)) writeFileAtomic(path, `${text}\n`);
          return metaOf(after);
        },
        { waitMs: options.lockWaitMs },
      ),
  };
}

/** Caco's file if Caco has the session, so that both programs use the same sets. */
function metaPath(home: Home, userHome: string | undefined, { host, id }: SessionKey): string {
  const folder = cacoFolder(userHome, id);
  return folder === undefined
    ? join(home.state, host, `${fileNameFor(id)}.meta.json`)
    : join(folder, "meta.json");
}

function cacoFolder(userHome: string | undefined, id: string): string | undefined {
  if (userHome === undefined || !isPlainId(id)) return undefined;
  const folder = join(userHome, ".caco", "sessions", id);
  try {
    // A link could lead anywhere; Caco creates real folders.
    return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : undefined;
  } catch {
    return undefined; // not accessible
  }
}

/** Whether Caco has this session: then Caco's file is its metadata. */
export function isOfCaco(userHome: string | undefined, id: string): boolean {
  return cacoFolder(userHome, id) !== undefined;
}

/** The name that the user gave a session; undefined if none, or if the file cannot be read, which others report. */
export function givenName(home: Home, userHome: string | undefined, session: SessionKey): string | undefined {
  try {
    const name = readRaw(metaPath(home, userHome, session))?.["name"];
    return (typeof name === "string" && cleanName(name)) || undefined;
  } catch {
    return undefined;
  }
}

/** Finds a session with a state or metadata by its id, in any host. */
export function findSession(
  home: Home,
  userHome: string | undefined,
  id: string,
  host?: string,
): SessionKey | undefined {
  return findSessions(home, userHome, id, host)[0];
}

/** The sessions with this id in all hosts. Caco's sessions belong to Copilot. */
export function findSessions(
  home: Home,
  userHome: string | undefined,
  id: string,
  host?: string,
): SessionKey[] {
  const name = fileNameFor(id);
  const hosts = hostsIn(home)
    .filter((one) => host === undefined || one === host)
    .filter((one) => [".json", ".meta.json"].some((end) => existsSync(join(home.state, one, name + end))));
  const isCaco = (host ?? "copilot") === "copilot" && isOfCaco(userHome, id);
  return [...new Set([...hosts, ...(isCaco ? ["copilot"] : [])])].map((one) => ({ host: one, id }));
}

export function hostsIn(home: Home): string[] {
  if (!existsSync(home.state)) return [];
  const folders = readdirSync(home.state, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map((entry) => entry.name).sort();
}

function readRaw(path: string): RawMeta | undefined {
  // Most sessions have none, and creating an error takes longer than everything else.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  let bytes: Buffer;
  try {
    bytes = readBytes(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    if (systemCode(error) === "not-a-file")
      throw new ContinuoError("meta-corrupt", `${path} is not a file`, {
        hint: "move it away to begin again",
      });
    if (systemCode(error) === "too-large")
      throw new ContinuoError("meta-too-large", describeError(error).message, {
        hint: "it is left as it is; make it smaller, or move it away to begin again",
      });
    throw error;
  }
  // Writing back a file that is not UTF-8 would change its characters, so it is refused.
  const text = isUtf8(bytes) ? bytes.toString("utf8").replace(/^\ufeff/, "") : undefined;
  if (text?.trim() === "") return undefined; // left by a crash or a full disk: nothing to lose
  const raw = text === undefined ? undefined : parseMeta(text);
  if (raw !== undefined) return raw;
  throw new ContinuoError("meta-corrupt", `${path} is not a session's metadata as JSON`, {
    hint: `it is left as it is; fix it, or move it away to begin again; ${copyCorrupt(path, bytes)}`,
  });
}

/** The copy's name contains the file's own time, so that many processes make only one copy. */
function copyCorrupt(path: string, bytes: Buffer): string {
  try {
    const copy = `${path}.corrupt-${Math.trunc(statSync(path).mtimeMs)}`;
    if (!existsSync(copy)) writeFileAtomic(copy, bytes);
    return `a copy is kept as ${copy}`;
  } catch (error) {
    return `no copy could be made (${describeError(error).message})`;
  }
}
