import { collapse } from "../../../base/text.ts";
import type { Title } from "../../../moments/ports/history.ts";
import { cleanName } from "../../../moments/state/session-name.ts";
import { redact } from "../../../store/redact.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { NamedBy } from "../session.ts";
import { makeName, type NameParts } from "./name.ts";
import type { SessionRow } from "./rows.ts";
import type { SyncPlace } from "./sync.ts";
import { unitsOf } from "./units.ts";
import { putHead, settle, startWriting } from "./writing.ts";

/** Increase it whenever names are made differently: sessions that Continuo named are then named again. */
const VERSION = 2;
/** A quarter of them from the beginning, where the topic is, and the rest from the end, where the commits are. */
const MOST_UNITS = 32;
const MOST_REQUESTS = 40;
const MOST_FILES = 20;

/** A session is named again when it has twice as many prompts, because its first request may not be informative. */
export function isNameDue(promptsBefore: number, prompts: number): boolean {
  return promptsBefore > 0 && Math.floor(Math.log2(prompts)) > Math.floor(Math.log2(promptsBefore));
}

/** Makes the name of a session that nobody else named, from its stored passages. */
export function renameOwn(db: Database, session: number): void {
  const row = db.get<{ branch: string | null; name: string }>(
    "SELECT branch, name FROM session WHERE id = ? AND named_by = 'us' AND is_child = 0",
    [session],
  );
  const made = row === undefined ? undefined : makeName(partsOf(db, session, row.branch));
  const name = made && redact(made); // a branch may have any name
  if (name !== undefined && name !== row?.name)
    db.run("UPDATE session SET name = ? WHERE id = ?", [name, session]);
}

/**
 * The name of a session that the user did not name with Continuo: by the user in the host, by a model, by the host, or
 * derived.
 */
export function nameWithoutPerson(
  place: Pick<SyncPlace, "db" | "history">,
  row: SessionRow,
  model: string | undefined,
): { name: string; by: NamedBy } {
  const title = row.is_gone === 1 ? undefined : titleOf(place, row);
  const titled = title === undefined ? "" : cleanName(redact(title.text));
  if (title?.by === "person" && titled !== "" && titled !== model) return { name: titled, by: "person" };
  if (model !== undefined && model !== "") return { name: model, by: "model" };
  if (title !== undefined && titled !== "") return { name: titled, by: title.by };
  const made = makeName(partsOf(place.db, row.id, row.branch));
  return { name: (made && redact(made)) || row.sid, by: "us" };
}

function partsOf(db: Database, session: number, branch: string | null): NameParts {
  const requests: string[] = [];
  const calls: string[] = [];
  let last = "";
  for (const { passages } of unitsOf(db, session, MOST_UNITS)) {
    for (const [turn, kind, , text] of passages) {
      if (kind === "c") calls.push(...text.split("\n"));
      if (kind !== "u" || turn === last || requests.length >= MOST_REQUESTS) continue;
      last = turn;
      requests.push(text);
    }
  }
  const edited = db.all<{ path: string }>(
    `SELECT path.path FROM touched JOIN path ON path.id = touched.path
     WHERE session = ? AND edited = 1 ORDER BY at DESC, path.path LIMIT ${MOST_FILES}`,
    [session],
  );
  return {
    requests,
    branch: branch ?? undefined,
    commits: commitSubjects(calls),
    edited: edited.map(({ path }) => path),
  };
}

const BATCH = 32;
/** Reading the two ends of a transcript takes a few milliseconds. */
const BATCH_IN_SLICE = 4;

/**
 * Renames sessions that an earlier version named, and reads titles that it did not see. Reads only the two ends of each
 * transcript. Each step is one transaction, as in `refill`. Returns whether nothing is left.
 */
export async function renameAll(
  place: Pick<SyncPlace, "db" | "history" | "naming">,
  isSlice: boolean,
  isOver: () => boolean,
): Promise<boolean> {
  while (!isDone(place.db)) {
    if (isOver()) return false;
    renameSome(place, isSlice ? BATCH_IN_SLICE : BATCH);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
}

/**
 * How far renaming has got, and for which version. Not part of the schema, because changing that would empty every
 * index: created if missing. A new index has nothing to rename.
 */
export function startNames(db: Database): void {
  const exists = (): boolean =>
    db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'own_names'") !== undefined;
  if (exists()) return;
  db.tx(() => {
    if (exists()) return; // another process was faster
    db.exec("CREATE TABLE own_names (version INTEGER NOT NULL, after INTEGER)");
    db.run("INSERT INTO own_names SELECT iif(EXISTS (SELECT 1 FROM session), 0, ?), NULL", [VERSION]);
  });
}

function isDone(db: Database): boolean {
  const row = db.get<{ version: number; after: number | null }>("SELECT version, after FROM own_names");
  return row !== undefined && row.version >= VERSION && row.after === null;
}

interface Named {
  readonly id: number;
  readonly host: string;
  readonly sid: string;
  readonly is_child: number;
  readonly is_gone: number;
}

function renameSome(
  { db, history, naming }: Pick<SyncPlace, "db" | "history" | "naming">,
  most: number,
): void {
  db.tx(() => {
    if (isDone(db)) return; // another process was faster
    const now = db.get<{ version: number; after: number | null }>("SELECT version, after FROM own_names");
    const after = now?.version === VERSION ? (now.after ?? 0) : 0;
    const rows = db.all<Named>(
      "SELECT id, host, sid, is_child, is_gone FROM session WHERE id > ? AND named_by = 'us' ORDER BY id LIMIT ?",
      [after, most],
    );
    const writing = startWriting(db);
    for (const row of rows) {
      const title = row.is_gone === 1 || row.is_child === 1 ? undefined : titleOf({ db, history }, row);
      const name = title === undefined ? "" : cleanName(redact(title.text));
      const recorded = naming({ host: row.host, id: row.sid });
      // pi was given a model's name and reports it as the user's.
      if (
        title === undefined ||
        name === "" ||
        [recorded?.model, ...(recorded?.earlier ?? [])].includes(name)
      ) {
        renameOwn(db, row.id);
        continue;
      }
      const by: NamedBy = title.by;
      db.run("UPDATE session SET name = ?, named_by = ? WHERE id = ?", [name, by, row.id]);
      putHead(writing, row.id);
    }
    settle(writing);
    const last = rows.length < most ? null : (rows.at(-1)?.id ?? null);
    db.run("UPDATE own_names SET version = ?, after = ?", [VERSION, last]);
  });
}

/** A title at one of the two ends of the newest transcript. */
function titleOf(
  { db, history }: Pick<SyncPlace, "db" | "history">,
  { id, host, sid }: Pick<Named, "id" | "host" | "sid">,
): Title | undefined {
  const file = db.get<{ path: string; key: string; modified: number; size: number }>(
    "SELECT path, key, modified, size FROM transcript WHERE session = ? ORDER BY path DESC LIMIT 1",
    [id],
  );
  if (file === undefined) return undefined;
  const { path, key, modified, size } = file;
  return history.get(host)?.headerOf({ host, id: sid, path, modified, size, ...(key !== "" && { key }) })
    ?.title;
}

const MOST = 20;
const LONGEST = 72;
const COMMAND = /\b(?:git (?:-[cC] \S+ )*commit|gh pr create)\b/;
const MESSAGE = /\s(?:-[a-zA-Z]*m|--message|--title|-t)[= ]?\s*(?="|')/;
/** `-m "$(cat <<'EOF' …`: the usual way to write a message of several lines. */
const DOCUMENT = /^"\$\(cat <<-?\s*['"]?(\w+)['"]?\s+/;
/** The index contains no line feeds. Most message bodies begin like this. */
const BODY = /\s(?:[-*•] |Co-Authored-By:|Signed-off-by:|🤖|Generated with|## )|[.!](?= [A-Z])/;

/** Subjects of the commits and titles of the pull requests that tool calls created, latest first. */
export function commitSubjects(callLines: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const line of callLines) {
    const subject = subjectIn(line);
    if (subject === undefined) continue;
    found.delete(subject);
    found.add(subject);
  }
  return [...found].reverse().slice(0, MOST);
}

function subjectIn(line: string): string | undefined {
  const command = COMMAND.exec(line);
  if (command === null) return undefined;
  const rest = line.slice(command.index);
  const option = MESSAGE.exec(rest);
  if (option === null) return undefined;
  const given = rest.slice(option.index + option[0].length);
  const end = DOCUMENT.exec(given);
  const message = end === null ? quoted(given) : (given.slice(end[0].length).split(` ${end[1]}`)[0] ?? "");
  const subject = collapse(message.split(BODY)[0] ?? "").replaceAll('\\"', '"');
  if (subject.length <= LONGEST) return subject === "" || subject.includes("$(") ? undefined : subject;
  return subject.slice(0, LONGEST).replace(/\s+\S*$/, "");
}

/** The text up to the closing quotation mark, or as much as is left, because long commands are cut. */
function quoted(text: string): string {
  const mark = text[0] ?? "";
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === mark) return text.slice(1, at);
  }
  return text.slice(1);
}
