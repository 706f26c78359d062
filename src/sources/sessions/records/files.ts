import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { parseBounded } from "../../../base/json.ts";
import { isRecord } from "../../../base/settings.ts";
import { writeFileAtomic } from "../../../store/atomic-file.ts";
import { fileNameFor, type Home, userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { forgetTried } from "../describe/tried.ts";
import type { SessionRecord } from "../record.ts";
import type { SessionKey } from "../session.ts";

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
function tombstonePath({ home }: RecordPlaces, { host, id }: SessionKey): string {
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
