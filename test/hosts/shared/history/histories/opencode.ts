import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { opencodeReader } from "../../../../../src/hosts/opencode/history/reader.ts";
import { openDatabase } from "../../../../../src/store/sqlite/open.ts";
import type { Database } from "../../../../../src/store/sqlite/types.ts";
import { CWD, type History, OURS } from "./history.ts";

const SESSION = "ses_e20cbb746ffeYrGnm84Z9fJKaa";
const START = 1_794_746_108_000;

/** The tables that are read, with the columns that matter. */
const SCHEMA = `
  CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
    data text NOT NULL);`;

export const databaseBelow = (home: string) => join(home, ".local/share/opencode/opencode.db");

export function openBelow(home: string): Database {
  mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
  return openDatabase(databaseBelow(home));
}

export function addSession(db: Database, id: string, parent: string | null, created: number): void {
  db.run("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", [
    id,
    parent,
    CWD,
    "Rounding",
    created,
    created + 60_000,
  ]);
}

export function addMessage(
  db: Database,
  session: string,
  second: number,
  data: object,
  parts: readonly unknown[],
): void {
  const at = START + second * 1000;
  const id = `msg_${session.slice(-4)}_${String(second).padStart(4, "0")}`;
  db.run("INSERT INTO message VALUES (?, ?, ?, ?)", [
    id,
    session,
    at,
    JSON.stringify({ time: { created: at }, ...data }),
  ]);
  parts.forEach((part, index) => {
    const text = typeof part === "string" ? part : JSON.stringify(part);
    db.run("INSERT INTO part VALUES (?, ?, ?, ?, ?)", [`prt_${id}_${index}`, id, session, at, text]);
  });
}

const said = (text: string, more: object = {}) => ({ type: "text", text, ...more });
const model = {
  role: "assistant",
  modelID: "fake-model",
  tokens: { input: 10, output: 4, reasoning: 1, cache: { read: 3, write: 2 } },
};

export function fill(db: Database): void {
  db.exec(SCHEMA);
  addSession(db, SESSION, null, START);
  const state = {
    status: "completed",
    input: { filePath: `${CWD}/src/round.ts` },
    output: "export const round = Math.round;",
    time: { start: START + 2000, end: START + 2500 },
  };
  addMessage(db, SESSION, 1, { role: "user" }, [
    said("Where are prices rounded?"),
    said(OURS, { synthetic: true }),
  ]);
  addMessage(db, SESSION, 2, model, [
    { type: "step-start" },
    { type: "reasoning", text: "Look for it." },
    { type: "tool", tool: "read", callID: "call_1", state },
    { type: "step-finish" },
  ]);
  addMessage(db, SESSION, 3, model, [said("In round.ts — naïvely.")]);
  addMessage(db, SESSION, 4, { role: "user" }, [{ type: "compaction", auto: false }]);
  addMessage(db, SESSION, 5, { ...model, summary: true }, [said("We looked at rounding.")]);
  addMessage(db, SESSION, 6, { role: "user" }, [said("Round half to even.")]);
  addMessage(db, SESSION, 7, model, [said("Done.")]);
}

export const opencodeHistory: History = {
  reader: opencodeReader,
  session: SESSION,
  write(home) {
    const db = openBelow(home);
    fill(db);
    db.close();
  },
};
