import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Header, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import type { Marks } from "../../../moments/ports/turn.ts";
import type { LastRequest } from "../../../moments/types.ts";
import { userHome } from "../../../store/home.ts";
import { readText, statFile } from "../../../store/read-file.ts";
import { type Entry, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, foldersUnder, headerFrom, newestOf, ofProject } from "../../shared/history/files.ts";
import { keptOverview } from "../../shared/history/kept-overview.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { readJsonLines } from "../../shared/history/read-json-lines.ts";
import { callsIn, geminiParser, ownLines, saidIn, titleIn } from "./parser.ts";
import { readWhole, wholeHeader } from "./whole-file.ts";

const linesOf = keptOverview(ownLines);

export const geminiReader: TranscriptReader = {
  host: "gemini",
  discover(env, { project, onFailure } = {}) {
    const files = [...filesUnder(chatsFolder(env), 3, onFailure)].flatMap((path) => sessionAt(path) ?? []);
    return ofProject(files, project, headerOf);
  },
  recent(env, query) {
    const ofRoots = (path: string): boolean => {
      const root = projectRoot(path);
      return root !== undefined && query.isOfProject(root);
    };
    query.basis?.watchNames(chatsFolder(env));
    const chats = foldersUnder(chatsFolder(env))
      .map((folder) => join(folder, "chats"))
      .filter((folder) => ofRoots(join(folder, "_")));
    query.basis?.watchShortNames(...chats);
    const paths = chats.flatMap((folder) => [...filesUnder(folder, 0, undefined, true)]);
    return newestOf(paths, query, fileAt, headerOf).map((file) => ({
      ...file,
      id: headerOf(file).id ?? file.id,
    }));
  },
  headerOf,
  read(file, options = {}) {
    const cwd = file.cwd ?? projectRoot(file.path) ?? dirname(file.path);
    const place = { cwd, root: options.root ?? cwd };
    if (file.path.endsWith(".json")) return readWhole(file.path, place, options);
    const marks: Marks = file.parent === undefined ? {} : { sidechain: true };
    return readJsonLines(file.path, () => ({ ...geminiParser(place, linesOf(file.path)), marks }), options);
  },
  lastRequest: geminiLastRequest,
  resumeWords: ({ id }) => ["gemini", "--resume", id],
};

/**
 * `<project>/chats/session-<time>-<start of the id>.jsonl`, and a session's subagents in a folder of the session's name.
 * Older versions wrote one `.json`.
 */
function sessionAt(path: string): SessionFile | undefined {
  const file = fileAt(path);
  // A main file's name has only the first eight characters of the id.
  return file === undefined || file.parent !== undefined
    ? file
    : { ...file, id: headerOf(file).id ?? file.id };
}

/** A session's file by its name alone; the file is not opened. */
function fileAt(path: string): SessionFile | undefined {
  const folder = basename(dirname(path));
  const isMain = folder === "chats" && /^session-.+\.jsonl?$/.test(basename(path));
  const isChild = basename(dirname(dirname(path))) === "chats" && path.endsWith(".jsonl");
  const found = isMain || isChild ? statFile(path) : undefined;
  if (found === undefined) return undefined;
  const file: SessionFile = { host: "gemini", id: basename(path).replace(/\.jsonl?$/, ""), path, ...found };
  return isChild ? { ...file, parent: folder } : file;
}

function chatsFolder(env: NodeJS.ProcessEnv): string {
  return join(env["GEMINI_CLI_HOME"] || userHome(env), ".gemini", "tmp");
}

function headerOf(file: SessionFile): Header {
  const cwd = projectRoot(file.path);
  const header = file.path.endsWith(".json")
    ? wholeHeader(file.path)
    : headerFrom(file.path, (entry) => {
        const id = "id" in entry ? undefined : textAt(entry, "sessionId");
        return present({ id, startedAt: timeOf(entry["startTime"]), title: titleIn(entry) });
      });
  return { ...header, ...present({ cwd, parent: file.parent }) };
}

/** The host keeps the project's folder in a file next to the chats. */
function projectRoot(path: string): string | undefined {
  const chats = basename(dirname(path)) === "chats" ? dirname(path) : dirname(dirname(path));
  try {
    return readText(join(dirname(chats), ".project_root"), { maxBytes: 64 * 1024 }).trim() || undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined; // older versions only keep a hash of it
    throw error;
  }
}

/** Lines that set all messages at once repeat older messages, at a start or a compression; they do not count. */
export function geminiLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|gemini|error)"/.test(line));
}

function trace(message: Entry): Trace | undefined {
  const { type } = message;
  if (type === "error") return { kind: "work", isAnswer: false };
  if (type === "gemini") {
    return { kind: "work", isAnswer: message["content"] !== "" && callsIn(message).length === 0 };
  }
  return type === "user" ? { kind: "request", text: saidIn(message), at: message["timestamp"] } : undefined;
}
