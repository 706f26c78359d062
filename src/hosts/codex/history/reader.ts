import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Header, Reach, SessionFile, Title } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import {
  type Entry,
  entryAt,
  parseJson,
  present,
  textAt,
  textOf,
  timeOf,
} from "../../shared/history/fields.ts";
import { filesUnder, headerFrom, lastFolders } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { decoded, keptOverview, readByteLines, tailLines } from "../../shared/history/lines.ts";
import { readerOf } from "../../shared/history/session-files.ts";
import { codexParser } from "./parser.ts";

/** `rollout-<time>-<id>.jsonl`, in a folder for each day. */
export const codexReader = readerOf({
  host: "codex",
  *paths(env, onFailure) {
    for (const folder of foldersOf(env)) yield* filesUnder(folder, 3, onFailure);
  },
  // Newest first: if time runs out, the oldest are missing.
  *recentPaths(env, { basis }) {
    for (const folder of foldersOf(env)) {
      basis?.watch(join(dirname(folder), NAMES_FILE));
      basis?.watchNames(...lastFolders(folder, 3));
    }
    for (const folder of foldersOf(env)) yield* filesUnder(folder, 3, undefined, true);
  },
  named(path) {
    const id = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl$/.exec(basename(path))?.[1];
    return id === undefined ? undefined : { id };
  },
  headerOf,
  parser({ file, place, from, header }) {
    const { parent, title } = header();
    const parser = { ...codexParser(place, modelBefore(file.path, from)), title: () => title };
    return parent === undefined ? parser : { ...parser, marks: { sidechain: true } };
  },
  // Older versions record what the user typed as a separate event, newer ones as an item.
  lastRequest: (path) => newestRequest(path, trace, (line) => line.includes('"type":"event_msg"')),
  contextWindow,
  resumeWords: ({ id }) => ["codex", "resume", id],
});

function foldersOf(env: NodeJS.ProcessEnv): string[] {
  const home = env["CODEX_HOME"] || join(userHome(env), ".codex");
  return [join(home, "sessions"), join(home, "archived_sessions")];
}

/** Far more than one turn takes up; a file may have any size. */
const MODEL_REACH = 16 * 1024 * 1024;

/** The file names the model once per turn, before the answer. */
function modelBefore(path: string, from: number): string | undefined {
  let model: string | undefined;
  if (from <= 0) return model;
  const begin = Math.max(0, from - MODEL_REACH);
  for (const line of readByteLines(path, { from: begin, isWithin: begin > 0, isOver: () => true })) {
    const { bytes, offset } = line;
    if (offset >= from) break;
    // Only the beginning is decoded, because most lines are long and few contain the model's name.
    const isNaming = bytes?.toString("latin1", 0, 120).includes('"type":"turn_context"') === true;
    const entry = isNaming ? parseJson(decoded(line).text ?? "") : undefined;
    if (entry !== undefined) model = textAt(entryAt(entry, "payload"), "model") ?? model;
  }
  return model;
}

function headerOf(file: SessionFile, reach?: Reach): Header {
  const header = headerFrom(
    file.path,
    (entry) => {
      const meta = entry["type"] === "session_meta" ? entryAt(entry, "payload") : bareHeader(entry);
      if (meta === undefined) return {};
      return present({
        id: textAt(meta, "id"),
        cwd: textAt(meta, "cwd"),
        startedAt: timeOf(meta["timestamp"]),
        branch: textAt(entryAt(meta, "git"), "branch"),
        parent: parentIn(meta),
        forkOf: textAt(meta, "forked_from_id"),
        isHeadless: meta["source"] === "exec" || meta["originator"] === "codex_exec" || undefined,
      });
    },
    reach,
  );
  return { ...header, ...present({ title: codexTitle(file.path, file.id) }) };
}

/** The first versions wrote the header without a wrapper and without the folder. */
function bareHeader(entry: Entry): Entry | undefined {
  return "id" in entry && "timestamp" in entry && !("type" in entry) ? entry : undefined;
}

function parentIn(meta: Entry): string | undefined {
  const spawn = entryAt(entryAt(entryAt(meta, "source"), "subagent"), "thread_spawn");
  return textAt(meta, "parent_thread_id") ?? textAt(spawn, "parent_thread_id");
}

function trace(entry: Entry): Trace | undefined {
  const payload = entryAt(entry, "payload");
  const at = entry["timestamp"];
  switch (payload["type"]) {
    case "task_complete":
      return { kind: "work", isAnswer: typeof payload["last_agent_message"] === "string" };
    case "turn_aborted":
    case "error":
      return { kind: "work", isAnswer: false };
    case "user_message":
      return { kind: "request", text: String(payload["message"] ?? ""), at };
    case "item_completed": {
      const item = entryAt(payload, "item");
      return item["type"] === "UserMessage"
        ? { kind: "request", text: textOf(item["content"]), at }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The current window is near the file's end: it is written at the beginning of every turn and after every answer. */
const REACH = 1024 * 1024;

/** The size of the model's context in tokens, as Codex last wrote it into the transcript. */
function contextWindow(path: string): number | undefined {
  for (const line of tailLines(path, REACH)) {
    if (!line.includes('"model_context_window"')) continue;
    const payload = entryAt(parseJson(line) ?? {}, "payload");
    const size = payload["model_context_window"] ?? entryAt(payload, "info")["model_context_window"];
    if (typeof size === "number" && Number.isSafeInteger(size) && size > 0) return size;
  }
  return undefined;
}

const NAMES_FILE = "session_index.jsonl";

/**
 * The name of a thread. Codex stores all names in one file beside the session folders, one line per change. It does not
 * record who chose a name, so every name counts as the user's.
 */
function codexTitle(path: string, id: string): Title | undefined {
  const file = namesBeside(path);
  const name = file === undefined ? undefined : namesIn(file).get(id);
  return name === undefined ? undefined : { text: name, by: "person" };
}

function namesBeside(path: string): string | undefined {
  const home = /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(`${dirname(path)}/`)?.[1];
  return home === undefined ? undefined : join(home, NAMES_FILE);
}

/** Read once for all sessions, and again when the file changes. */
const namesIn = keptOverview(readNames);

function readNames(file: string): Map<string, string> {
  const names = new Map<string, string>();
  try {
    // Newest first, because names are appended.
    for (const line of tailLines(file, REACH)) {
      const entry = parseJson(line) ?? {};
      const id = textAt(entry, "id");
      if (id !== undefined && !names.has(id)) names.set(id, textAt(entry, "thread_name")?.trim() ?? "");
    }
  } catch (error) {
    if (!isSystemError(error)) throw error; // usual: most users never name a session
  }
  for (const [id, name] of names) if (name === "") names.delete(id);
  return names;
}
