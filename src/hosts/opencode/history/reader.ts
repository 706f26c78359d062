import { basename, dirname, isAbsolute, join } from "node:path";
import type {
  Discovery,
  Header,
  Reading,
  ReadOptions,
  SessionFile,
  TranscriptReader,
} from "../../../moments/ports/history.ts";
import type { Marks, Turn } from "../../../moments/ports/turn.ts";
import { userHome } from "../../../store/home.ts";
import { statFile } from "../../../store/read-file.ts";
import { sqliteCode } from "../../../store/sqlite/errors.ts";
import { openDatabase } from "../../../store/sqlite/open.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { timeOf } from "../../shared/history/fields.ts";
import { filesUnder, ofProject } from "../../shared/history/files.ts";
import { MAX_LINE_BYTES } from "../../shared/history/lines.ts";
import { createTally, type Tally } from "../../shared/history/tally.ts";
import { turnsOf } from "./parser.ts";
import {
  allSessions,
  latestSessions,
  messagesOf,
  originOf,
  type SessionRow,
  sessionOf,
  tailOf,
} from "./rows.ts";

/**
 * How many messages at a session's end are read. Rows differ in size; a message seldom has more than a few kilobytes.
 */
const TAIL_MESSAGES = 50;

/** How many sessions of all projects are searched for a project's newest ones. */
const MOST_LISTED = 2000;

/** Offsets are the creation times of messages in milliseconds, because rows have no permanent position. */
export const opencodeReader: TranscriptReader = {
  host: "opencode",
  discover(env, { project, onFailure } = {}) {
    const files = databases(env, onFailure).flatMap((path) => {
      const rows = withDatabase(path, allSessions);
      if ("found" in rows) return rows.found.map((row) => fileOf(path, row));
      onFailure?.(rows.failure);
      return [];
    });
    return ofProject(files, project, headerOf);
  },
  recent(env, { isOfProject, limit, basis }) {
    basis?.watchNames(dataFolder(env));
    const files = databases(env, undefined).flatMap((path) => {
      basis?.watch(path, `${path}-wal`);
      const rows = withDatabase(path, (db) =>
        latestSessions(db, MOST_LISTED)
          .filter(({ directory }) => isOfProject(directory))
          .slice(0, limit)
          .flatMap(({ id }) => sessionOf(db, id) ?? []),
      );
      return "found" in rows ? rows.found.map((row) => fileOf(path, row)) : [];
    });
    return files.sort((a, b) => b.modified - a.modified).slice(0, limit);
  },
  headerOf,
  read(file, options = {}): Reading {
    let tally = createTally();
    return {
      report: () => tally.report(),
      *[Symbol.iterator]() {
        tally = createTally();
        yield* turnsIn(file, options, tally);
      },
    };
  },
  resumeWords: ({ id }) => ["opencode", "-s", id],
};

function dataFolder(env: NodeJS.ProcessEnv): string {
  return join(env["XDG_DATA_HOME"] || join(userHome(env), ".local", "share"), "opencode");
}

/** `OPENCODE_DB`, or every channel's database in the data folder. */
function databases(env: NodeJS.ProcessEnv, onFailure: Discovery["onFailure"]): string[] {
  const data = dataFolder(env);
  const own = env["OPENCODE_DB"];
  if (own === ":memory:") return [];
  if (own) return [isAbsolute(own) ? own : join(data, own)];
  return [...filesUnder(data, 0, onFailure)].filter((path) =>
    /^opencode(-[\w.-]+)?\.db$/.test(basename(path)),
  );
}

function fileOf(path: string, row: SessionRow): SessionFile {
  return {
    host: "opencode",
    id: row.id,
    path,
    key: row.id,
    cwd: row.directory,
    startedAt: timeOf(row.time_created) ?? 0,
    modified: timeOf(row.time_updated) ?? 0,
    size: row.messages,
    ...(row.parent_id === null ? {} : { parent: row.parent_id }),
  };
}

function headerOf(file: SessionFile): Header {
  const asked = withDatabase(file.path, (db) => {
    const row = sessionOf(db, file.key ?? file.id);
    return row && { ...row, forkOf: originOf(db, row) };
  });
  if ("failure" in asked || asked.found === undefined) return {};
  const { id, directory, title, time_created, parent_id, forkOf } = asked.found;
  return {
    id,
    cwd: directory,
    startedAt: timeOf(time_created) ?? 0,
    // The host's placeholder is not a title. The host does not record which titles the user gave.
    ...(/^(?:New|Child) session - /.test(title) ? {} : { title: { text: title, by: "host" as const } }),
    ...(parent_id === null ? {} : { parent: parent_id }),
    ...(forkOf === undefined ? {} : { forkOf }),
  };
}

function* turnsIn(file: SessionFile, options: ReadOptions, tally: Tally): Generator<Turn> {
  const opened = open(file.path);
  if ("failure" in opened) return tally.failed(opened.failure);
  const db = opened.found;
  const session = file.key ?? file.id;
  try {
    const row = sessionOf(db, session);
    if (row === undefined) return tally.failed(`${file.path} has no session ${session} any more`);
    const title = headerOf(file).title;
    if (title !== undefined) tally.titled(title);
    const place = { cwd: row.directory, root: options.root ?? row.directory };
    const { tailBytes, before = Number.MAX_SAFE_INTEGER, maxLineBytes = MAX_LINE_BYTES } = options;
    const from = tailBytes === undefined ? (options.from ?? 0) : tailOf(db, session, TAIL_MESSAGES, before);
    tally.began(from);
    for (const message of messagesOf(db, session, { from, before }, maxLineBytes, tally)) {
      const marks: Marks = {
        ...(row.parent_id === null ? {} : { sidechain: true }),
        // A fork contains copies of its origin's messages, with their original times.
        ...(message.created < row.time_created ? { copied: true } : {}),
      };
      tally.resumeAt(message.created);
      yield* turnsOf(message, marks, place, tally);
    }
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    tally.failed(String(error));
  } finally {
    db.close();
  }
}

type Outcome<T> = { readonly found: T } | { readonly failure: string };

/** Read-only and briefly, because the host may be writing. */
function withDatabase<T>(path: string, ask: (db: Database) => T): Outcome<T> {
  const opened = open(path);
  if ("failure" in opened) return opened;
  try {
    return { found: ask(opened.found) };
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return { failure: String(error) };
  } finally {
    opened.found.close();
  }
}

function open(path: string): Outcome<Database> {
  if (statFile(path) === undefined) return { failure: `${path} is not there` };
  try {
    return { found: openDatabase(path, { readOnly: true }) };
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return { failure: `${dirname(path)}: ${String(error)}` };
  }
}
