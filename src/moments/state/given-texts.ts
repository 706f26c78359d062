import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../base/json.ts";
import { clipWithin, collapse } from "../../base/text.ts";
import type { BlockKind } from "../../compose/render.ts";
import { namesIn } from "../../store/folder.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { appendRecord, type Journal, journalFiles, readRecords } from "../../store/journal.ts";
import { redact } from "../../store/redact.ts";
import { writeFileAtomic } from "../../store/write-file.ts";
import type { Moment, MomentName, Session } from "../types.ts";

/** One text that was delivered to a session, with secrets redacted. The ledger records its items. */
export interface GivenText {
  readonly at: string;
  readonly epoch: number;
  readonly what: BlockKind | "handover";
  readonly moment: MomentName;
  /** The reason for the delivery: the beginning of the prompt, or the tool and its first file. */
  readonly about?: string;
  /** The fingerprint of the exact text, which the ledger's line has too. */
  readonly fingerprint: string;
  readonly text: string;
}

type Key = Pick<Session, "host" | "id">;

/** For each session the newest four files are kept: between 0.75 and 1 MB, a quarter of a million tokens. */
const FILE_BYTES = 256 * 1024;
const FILES = 4;

export function appendGivenText(home: Home, session: Key, text: GivenText): void {
  appendRecord(journalOf(home, session), { v: 1, ...text, text: redact(text.text) });
}

const MAX_ABOUT = 160;

/**
 * What a moment is about, in one line. A long prompt is cut before it is redacted; a word that the cut splits is
 * dropped.
 */
export function aboutOf(moment: Moment): { about?: string } {
  if ("tool" in moment) {
    const [file] = moment.tool.files;
    return { about: redact(clipWithin([moment.tool.name, file?.path ?? ""].join(" ").trim(), MAX_ABOUT)) };
  }
  if (!("prompt" in moment) || moment.prompt === undefined) return {};
  const line = collapse(redact(moment.prompt.slice(0, 4 * MAX_ABOUT)));
  return { about: clipWithin(line, MAX_ABOUT) };
}

/** The stored texts of a session, oldest first. Skips an incomplete line by a killed process. */
export function givenTexts(home: Home, session: Key): GivenText[] {
  return readRecords(journalOf(home, session)).records.filter(isGivenText);
}

export function forgetGivenTexts(home: Home, session: Key): void {
  rmSync(folderOf(home, session), { recursive: true, force: true });
}

/** For all sessions together. Those without deliveries for the longest time are removed first. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SESSIONS = 2_000;
const DAY_MS = 24 * 3_600_000;

/** Removes old texts beyond the limits, once a day. Called when nobody waits. */
export function pruneGivenTexts(
  home: Home,
  now: number,
  { maxBytes = MAX_BYTES, maxSessions = MAX_SESSIONS, everyMs = DAY_MS } = {},
): void {
  const mark = join(home.given, "pruned");
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(Date.now() - last) < everyMs) return;
  if (statSync(home.given, { throwIfNoEntry: false }) === undefined) return;
  writeFileAtomic(mark, `${new Date(now).toISOString()}\n`, { durable: false });
  let bytes = 0;
  foldersIn(home)
    .sort((a, b) => b.at - a.at)
    .forEach((folder, i) => {
      bytes += folder.bytes;
      if (bytes > maxBytes || i >= maxSessions) rmSync(folder.path, { recursive: true, force: true });
    });
}

interface Folder {
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
}

function foldersIn(home: Home): Folder[] {
  const hosts = namesIn(home.given).filter((name) => name !== "pruned" && !name.startsWith("."));
  return hosts.flatMap((host) =>
    namesIn(join(home.given, host)).map((name) => {
      const folder = join(home.given, host, name);
      const files = journalFiles(journalIn(folder)).map((file) => statSync(join(folder, file)));
      return {
        path: folder,
        at: Math.max(0, ...files.map((file) => file.mtimeMs)),
        bytes: files.reduce((sum, file) => sum + file.size, 0),
      };
    }),
  );
}

function folderOf(home: Home, { host, id }: Key): string {
  return join(home.given, fileNameFor(host), fileNameFor(id));
}

function journalOf(home: Home, session: Key): Journal {
  return journalIn(folderOf(home, session));
}

function journalIn(folder: string): Journal {
  return { folder, prefix: "given", maxBytes: FILE_BYTES, keep: FILES };
}

function isGivenText(value: unknown): value is GivenText {
  return (
    isRecord(value) &&
    value["v"] === 1 &&
    typeof value["at"] === "string" &&
    typeof value["text"] === "string" &&
    typeof value["fingerprint"] === "string" &&
    typeof value["epoch"] === "number"
  );
}
