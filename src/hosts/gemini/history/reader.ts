import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Header, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { type Entry, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, foldersUnder, headerFrom } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { keptOverview } from "../../shared/history/lines.ts";
import { readerOf } from "../../shared/history/session-files.ts";
import { callsIn, geminiParser, ownLines, saidIn, titleIn } from "./parser.ts";
import { readWhole, wholeHeader } from "./whole-file.ts";

const linesOf = keptOverview(ownLines);

/**
 * `<project>/chats/session-<time>-<start of the id>.jsonl`, and a session's subagents in a folder of the session's name.
 * Older versions wrote one `.json`.
 */
const files = readerOf({
  host: "gemini",
  paths: (env, onFailure) => filesUnder(chatsFolder(env), 3, onFailure),
  recentPaths(env, { isOfProject, basis }) {
    const ofRoots = (folder: string): boolean => {
      const root = projectRoot(join(folder, "_"));
      return root !== undefined && isOfProject(root);
    };
    basis?.watchNames(chatsFolder(env));
    const chats = foldersUnder(chatsFolder(env))
      .map((folder) => join(folder, "chats"))
      .filter(ofRoots);
    basis?.watchShortNames(...chats);
    return chats.flatMap((folder) => [...filesUnder(folder, 0, undefined, true)]);
  },
  named(path) {
    const folder = basename(dirname(path));
    const id = basename(path).replace(/\.jsonl?$/, "");
    if (folder === "chats" && /^session-.+\.jsonl?$/.test(basename(path))) return { id };
    const isChild = basename(dirname(dirname(path))) === "chats" && path.endsWith(".jsonl");
    return isChild ? { id, parent: folder } : undefined;
  },
  hasShortNames: true,
  headerOf,
  parser: ({ file, place }) => ({
    ...geminiParser(place, linesOf(file.path)),
    ...(file.parent === undefined ? {} : { marks: { sidechain: true } }),
  }),
  // Lines that set all messages at once repeat older messages, at a start or a compression; they do not count.
  lastRequest: (path) => newestRequest(path, trace, (line) => /"type":"(?:user|gemini|error)"/.test(line)),
  resumeWords: ({ id }) => ["gemini", "--resume", id],
});

export const geminiReader: TranscriptReader = {
  ...files,
  read(file, options = {}) {
    if (!file.path.endsWith(".json")) return files.read(file, options);
    const cwd = file.cwd ?? projectRoot(file.path) ?? dirname(file.path);
    return readWhole(file.path, { cwd, root: options.root ?? cwd }, options);
  },
};

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

function trace(message: Entry): Trace | undefined {
  const { type } = message;
  if (type === "error") return { kind: "work", isAnswer: false };
  if (type === "gemini") {
    return { kind: "work", isAnswer: message["content"] !== "" && callsIn(message).length === 0 };
  }
  return type === "user" ? { kind: "request", text: saidIn(message), at: message["timestamp"] } : undefined;
}
