import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import { parseBounded } from "../../../base/json.ts";
import { isRecord } from "../../../base/settings.ts";
import { writeFileAtomic } from "../../../store/atomic-file.ts";
import { fileNameFor, type Home, userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { redact } from "../../../store/redact.ts";
import type { NamedBy, SessionKey } from "../session.ts";

export interface RecordPlaces {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

/** pi's records lie where its own extension keeps them, all others with us. */
export function recordPath({ home, env }: RecordPlaces, { host, id }: SessionKey): string {
  const name = `${fileNameFor(id)}.meta.json`;
  if (host !== "pi") return join(home.root, "sessions-meta", host, name);
  const agent = env["PI_CODING_AGENT_DIR"] || join(userHome(env), ".pi", "agent");
  return join(agent, "sessions-meta", name);
}

/** Undefined when there is none. One that cannot be understood is as good as none; `onDamaged` is told. */
export function readRecord(path: string, onDamaged: (reason: string) => void): SessionRecord | undefined {
  let text: string;
  try {
    text = readText(path, { maxBytes: 4 * 1024 * 1024 });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") onDamaged(`${path} cannot be read (${systemCode(error)})`);
    return undefined;
  }
  try {
    const value: unknown = parseBounded(text);
    const wrong = whyNoRecord(value);
    if (wrong === undefined) return { schemaVersion: 1, ...(value as Omit<SessionRecord, "schemaVersion">) };
    onDamaged(`${path} is no record: ${wrong}`);
  } catch (error) {
    onDamaged(`${path} is not JSON: ${(error as Error).message}`);
  }
  return undefined;
}

const TEXTS = [
  "sessionId",
  "sessionFile",
  "name",
  "description",
  "summary",
  "cwd",
  "createdAt",
  "updatedAt",
  "model",
  "lastIndexedLeafId",
];

function whyNoRecord(value: unknown): string | undefined {
  if (!isRecord(value)) return "it holds no object";
  // Older ones have no version.
  if (![undefined, 1].includes(value["schemaVersion"] as 1 | undefined))
    return `its version is ${String(value["schemaVersion"])}, and 1 is known`;
  const missing = TEXTS.find((name) => typeof value[name] !== "string");
  if (missing !== undefined) return `"${missing}" is no text`;
  if (!isTexts(value["tags"])) return '"tags" is no list of texts';
  const ours = value["continuo"];
  if (ours === undefined) return undefined;
  if (!isRecord(ours)) return '"continuo" is no object';
  const wrong = ["earlierNames", "files"].find((name) => ours[name] !== undefined && !isTexts(ours[name]));
  return wrong === undefined ? undefined : `"${wrong}" is no list of texts`;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function writeRecord(path: string, record: SessionRecord): void {
  // It can be made again: a power cut may lose it.
  writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`, { durable: false });
}

/** A tombstone: this session is never indexed again, whatever happens to the index. */
export function tombstonePath({ home }: RecordPlaces, { host, id }: SessionKey): string {
  return join(home.root, "sessions-meta", host, `${fileNameFor(id)}.forgotten`);
}

export function isForgotten(places: RecordPlaces, key: SessionKey): boolean {
  return existsSync(tombstonePath(places, key));
}

export function bury(places: RecordPlaces, key: SessionKey, now: number): void {
  writeFileAtomic(
    tombstonePath(places, key),
    `${JSON.stringify({ ...key, at: new Date(now).toISOString() })}\n`,
  );
  rmSync(recordPath(places, key), { force: true });
  forgetTried(places, key);
}

/**
 * What is known of a session, as a file that other programs read too: `<id>.meta.json`. The names of the fields are
 * those of the pi extension that this format comes from.
 */
export interface SessionRecord {
  readonly schemaVersion: 1;
  readonly sessionId: string;
  readonly sessionFile: string;
  readonly parentSessionFile?: string;
  readonly name: string;
  readonly description: string;
  /** Markdown: Goal, Key decisions, Outcome, Next steps, Files, Commands. */
  readonly summary: string;
  readonly tags: readonly string[];
  readonly cwd: string;
  /** ISO times: when the record was first made, and last. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** `provider/id` of the model that wrote it; `EXTRACTED` when none did. */
  readonly model: string;
  /** The last turn that it tells of. */
  readonly lastIndexedLeafId: string;
  /** What the format has no field for. */
  readonly continuo?: {
    readonly host: string;
    /** `given`: the name was given with `sessions name`, and stays. */
    readonly namedBy: NamedBy;
    /** Names that models gave it before: a host that was told of one must not pass for a person. */
    readonly earlierNames?: readonly string[];
    readonly branch?: string;
    readonly files?: readonly string[];
  };
}

/** One that was made here, with all that can be said without a model. */
export type OwnRecord = SessionRecord & { readonly continuo: NonNullable<SessionRecord["continuo"]> };

/** In place of a model's name: the words are the session's own. */
export const EXTRACTED = "continuo/extractive";

/** The record, if there is one and a model wrote it, for us or for another program. */
export function byModel(record: SessionRecord | undefined): SessionRecord | undefined {
  return record?.model === EXTRACTED ? undefined : record;
}

/** A model was asked to describe a session and did not: nobody but a person tries again before more was asked in it. */
export interface Tried {
  /** The last turn of what was sent. */
  readonly turn: string;
  readonly at: string;
  readonly error: string;
}

export function readTried(places: RecordPlaces, key: SessionKey): Tried | undefined {
  try {
    const value: unknown = JSON.parse(readText(triedPath(places, key), { maxBytes: 1024 * 1024 }));
    return isRecord(value) && typeof value["turn"] === "string" ? (value as unknown as Tried) : undefined;
  } catch (error) {
    // A damaged one costs one more try at worst.
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export function rememberTried(
  places: RecordPlaces,
  key: SessionKey,
  turn: string,
  error: unknown,
  now: number,
): void {
  const tried: Tried = {
    turn,
    at: new Date(now).toISOString(),
    error: redact(describeError(error).message).slice(0, 500),
  };
  writeFileAtomic(triedPath(places, key), `${JSON.stringify(tried)}\n`, { durable: false });
}

export function forgetTried(places: RecordPlaces, key: SessionKey): void {
  rmSync(triedPath(places, key), { force: true });
}

function triedPath({ home }: RecordPlaces, { host, id }: SessionKey): string {
  return join(home.root, "sessions-meta", host, `${fileNameFor(id)}.tried`);
}
