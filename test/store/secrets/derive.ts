import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { appendLedger } from "../../../src/moments/state/ledger.ts";
import { allSegments, termsIn } from "../../../src/search/segment.ts";
import type { MemoryRoot } from "../../../src/sources/notes/files/roots.ts";
import { graphPlugin } from "../../../src/sources/notes/graph/graph-plugin.ts";
import { memoryIndexPath, openMemoryIndex } from "../../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../../src/sources/notes/note-index/note-files.ts";
import { syncIndex } from "../../../src/sources/notes/note-index/sync.ts";
import { openSessions } from "../../../src/sources/sessions/library.ts";
import { recordHealth } from "../../../src/store/health.ts";
import type { Home } from "../../../src/store/home.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import { lineOf } from "../../sources/sessions/place.ts";
import { history } from "../../support/histories.ts";
import type { Planted } from "./planted.ts";

const AT = Date.UTC(2026, 10, 10);
const CWD = "/work/shop";

interface World {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

/** Puts each secret into its carrier: the host's files, notes, and what hooks record. */
export async function deriveAll({ home, env }: World, planted: readonly Planted[]): Promise<string[]> {
  const user = env["HOME"] ?? "";
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const notes = join(dirname(home.root), "notes");
  planted.forEach((one, at) => {
    const id = `planted-${at}`;
    const { text } = one;
    const claude = (lines: readonly string[]): void =>
      put(join(user, `.claude/projects/-work-shop/${id}.jsonl`), lines.join(""));
    if (one.carrier === "prompt") {
      claude([lineOf(id, { role: "user", text }), lineOf(id, { role: "assistant", text: "Done." })]);
    } else if (one.carrier === "tool input") {
      const calls = [{ name: "Bash", input: { command: text } }];
      claude([
        lineOf(id, { role: "user", text: "Go on." }),
        lineOf(id, { role: "assistant", text: "", calls }),
      ]);
    } else if (one.carrier === "tool output") {
      // A tool's output is not indexed, but a failure with it is recorded, and so is a guard's reason.
      claude([
        lineOf(id, { role: "user", text: "Run it." }),
        lineOf(id, { role: "assistant", text: `It printed:\n${text}` }),
      ]);
      recordHealth(home.logs, {
        at: new Date(AT).toISOString(),
        where: "tool",
        code: "tool-failed",
        message: text,
      });
      appendLedger(home, AT, {
        host: "claude-code",
        session: id,
        project: CWD,
        epoch: 1,
        kind: "guarded",
        action: "deny",
        tool: "Bash",
        why: text,
      });
    } else if (one.carrier === "transcript")
      put(...(at % 2 === 0 ? pi(user, id, text) : codex(user, id, text)));
    else
      put(
        join(notes, `${id}.md`),
        `---\ntitle: Note ${at}\ntags: [ops]\n---\n# Note ${at}\n\n${text}\n\nSee [[deploy]].\n`,
      );
  });
  const sessions = openSessions({ home, history, env });
  await sessions.sync();
  // Records, briefings and answers are derived too: their texts are checked as well.
  const texts = sessions
    .list()
    .flatMap((session) => [
      JSON.stringify(sessions.record(session) ?? {}),
      JSON.stringify(sessions.allPassages(session)),
      session.name,
    ]);
  sessions.close();
  const root: MemoryRoot = { path: notes, kind: "continuo", isWritable: true };
  const index = openMemoryIndex(memoryIndexPath(home, root), noteFilesOf(root), { plugins: [graphPlugin] });
  await syncIndex(index);
  index.close();
  return texts;
}

function pi(user: string, id: string, text: string): [string, string] {
  const lines = [
    { type: "session", version: 3, id, timestamp: new Date(AT).toISOString(), cwd: CWD },
    {
      type: "message",
      id: "e1",
      parentId: null,
      timestamp: new Date(AT).toISOString(),
      message: { role: "user", content: [{ type: "text", text }] },
    },
    {
      type: "message",
      id: "e2",
      parentId: "e1",
      timestamp: new Date(AT + 1).toISOString(),
      message: {
        role: "assistant",
        content: [{ type: "text", text: "Done." }],
        model: "m",
        stopReason: "stop",
      },
    },
  ];
  return [
    join(user, `.pi/agent/sessions/--work-shop--/2026-11-10T00-00-00-000Z_${id}.jsonl`),
    jsonLines(lines),
  ];
}

function codex(user: string, id: string, text: string): [string, string] {
  const at = new Date(AT).toISOString();
  const uuid = `01a1df34-a408-71f0-b2c6-${id.replace(/\D/g, "").padStart(12, "0")}`;
  const lines = [
    {
      timestamp: at,
      type: "session_meta",
      payload: { id: uuid, timestamp: at, cwd: CWD, cli_version: "0.166.0" },
    },
    {
      timestamp: at,
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Go on." }] },
    },
    {
      timestamp: at,
      type: "response_item",
      payload: { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
    },
  ];
  return [
    join(user, `.codex/sessions/2026/11/10/rollout-2026-11-10T00-00-00-${uuid}.jsonl`),
    jsonLines(lines),
  ];
}

const jsonLines = (lines: readonly object[]): string =>
  `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;

/** Everything in the home as one lower-case text: bytes of files, and the compressed texts and all terms of indexes. */
export async function allDerived(home: Home, answers: readonly string[]): Promise<string> {
  const texts = [...answers];
  for (const entry of readdirSync(home.root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    texts.push(readFileSync(path, "latin1"), readFileSync(path, "utf8"));
    if (!path.endsWith(".db")) continue;
    const db = openDatabase(path);
    const tables = new Set(
      db.all<{ name: string }>("SELECT name FROM sqlite_schema").map(({ name }) => name),
    );
    if (tables.has("unit")) {
      for (const { data } of db.all<{ data: Uint8Array }>("SELECT data FROM unit"))
        texts.push(inflateRawSync(data).toString("utf8"));
    }
    if (tables.has("posting")) {
      for (const { id } of allSegments(db)) {
        for (const terms = termsIn(db, id); terms.term !== undefined; terms.next())
          texts.push(Buffer.from(terms.term).toString("utf8"));
      }
    }
    db.close();
  }
  return texts.join("\n").toLowerCase();
}
