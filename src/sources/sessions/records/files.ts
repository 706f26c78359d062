import { rmSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { fileNameFor, type Home, userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { redact } from "../../../store/redact.ts";
import { isForgotten, tombstonePath as pathOfTombstone } from "../../../store/tombstones.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import type { NamedBy, SessionKey } from "../session.ts";

export interface RecordPlaces {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

/** pi's records are where its own extension stores them, all others in Continuo's home. */
export function recordPath({ home, env }: RecordPlaces, { host, id }: SessionKey): string {
  const name = `${fileNameFor(id)}.meta.json`;
  if (host !== "pi") return join(home.root, "sessions-meta", host, name);
  const agent = env["PI_CODING_AGENT_DIR"] || join(userHome(env), ".pi", "agent");
  return join(agent, "sessions-meta", name);
}

/** Undefined if there is none. A record that cannot be parsed counts as missing and is reported to `onDamaged`. */
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
    onDamaged(`${path} is not a record: ${wrong}`);
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
  if (!isRecord(value)) return "it is not an object";
  // Older records have no version.
  if (![undefined, 1].includes(value["schemaVersion"] as 1 | undefined))
    return `its version is ${String(value["schemaVersion"])}; only 1 is supported`;
  const missing = TEXTS.find((name) => typeof value[name] !== "string");
  if (missing !== undefined) return `"${missing}" is not a string`;
  if (!isTexts(value["tags"])) return '"tags" is not a list of strings';
  const own = value["continuo"];
  if (own === undefined) return undefined;
  if (!isRecord(own)) return '"continuo" is not an object';
  const wrong = ["earlierNames", "files"].find((name) => own[name] !== undefined && !isTexts(own[name]));
  return wrong === undefined ? undefined : `"${wrong}" is not a list of strings`;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function writeRecord(path: string, record: SessionRecord): void {
  // It can be recreated, so losing it in a power cut is acceptable.
  writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`, { durable: false });
}

/** A tombstone: its session is never indexed again, even if the index is rebuilt. */
export function tombstonePath({ home }: RecordPlaces, key: SessionKey): string {
  return pathOfTombstone(home, key);
}

export function hasTombstone({ home }: RecordPlaces, key: SessionKey): boolean {
  return isForgotten(home, key);
}

/** `parent`: the session with which it was forgotten. */
export function writeTombstone(places: RecordPlaces, key: SessionKey, now: number, parent?: string): void {
  const { host, id } = key;
  writeFileAtomic(
    tombstonePath(places, key),
    `${JSON.stringify({ host, id, at: new Date(now).toISOString(), parent })}\n`,
  );
  rmSync(recordPath(places, key), { force: true });
  removeFailedAttempt(places, key);
}

/**
 * The record of a session as a file, `<id>.meta.json`, that other programs read too. The field names come from the pi
 * extension that defined this format.
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
  /** ISO times of the first and the last version of the record. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** `provider/id` of the model that wrote it; `EXTRACTED` if none did. */
  readonly model: string;
  /** The last turn that it covers. */
  readonly lastIndexedLeafId: string;
  /** Fields that the format does not have. */
  readonly continuo?: {
    readonly host: string;
    /** `given`: the name was given with `sessions name` and is never replaced. */
    readonly namedBy: NamedBy;
    /** Earlier names by models. A host that was given one reports it like a user's name. */
    readonly earlierNames?: readonly string[];
    readonly branch?: string;
    readonly files?: readonly string[];
    /** The version of the extraction, if no model wrote it. An older record is made again. */
    readonly made?: number;
  };
}

/** A record that Continuo made, complete without a model. */
export type OwnRecord = SessionRecord & { readonly continuo: NonNullable<SessionRecord["continuo"]> };

/** Stands for a model's name: the text is extracted from the session. */
export const EXTRACTED = "continuo/extractive";

/** Increase it whenever records are extracted differently. */
export const EXTRACTION = 3;

/** The record if a model wrote it, through Continuo or another program. */
export function byModel(record: SessionRecord | undefined): SessionRecord | undefined {
  return record?.model === EXTRACTED ? undefined : record;
}

/** The name that a model gave, if any. Other programs that write records use a model's name. */
export function modelsName(record: SessionRecord | undefined): readonly string[] {
  const written = byModel(record);
  if (written === undefined) return [];
  return written.continuo === undefined || written.continuo.namedBy === "model" ? [written.name] : [];
}

/**
 * A failed request to a model to describe a session. It is repeated only on the user's request, or when there are more
 * prompts.
 */
interface FailedAttempt {
  /** The last turn that was sent. */
  readonly turn: string;
  readonly at: string;
  readonly error: string;
}

export function readFailedAttempt(places: RecordPlaces, key: SessionKey): FailedAttempt | undefined {
  try {
    const value: unknown = JSON.parse(readText(failedAttemptPath(places, key), { maxBytes: 1024 * 1024 }));
    return isRecord(value) && typeof value["turn"] === "string"
      ? (value as unknown as FailedAttempt)
      : undefined;
  } catch (error) {
    // A damaged file costs at worst one more attempt.
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export function writeFailedAttempt(
  places: RecordPlaces,
  key: SessionKey,
  turn: string,
  error: unknown,
  now: number,
): void {
  const attempt: FailedAttempt = {
    turn,
    at: new Date(now).toISOString(),
    error: redact(describeError(error).message).slice(0, 500),
  };
  writeFileAtomic(failedAttemptPath(places, key), `${JSON.stringify(attempt)}\n`, { durable: false });
}

export function removeFailedAttempt(places: RecordPlaces, key: SessionKey): void {
  rmSync(failedAttemptPath(places, key), { force: true });
}

function failedAttemptPath({ home }: RecordPlaces, { host, id }: SessionKey): string {
  return join(home.root, "sessions-meta", host, `${fileNameFor(id)}.tried`);
}
