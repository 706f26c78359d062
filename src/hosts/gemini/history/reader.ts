import { basename, dirname, join } from "node:path";
import { isSystemError, systemCode } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import type {
  Header,
  Reading,
  ReadOptions,
  SessionFile,
  TranscriptReader,
} from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { type Entry, listAt, parseJson, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, foldersUnder, headerFrom } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { keptOverview, MAX_LINE_BYTES } from "../../shared/history/lines.ts";
import { readerOf } from "../../shared/history/session-files.ts";
import { createTally } from "../../shared/history/tally.ts";
import type { Place } from "../../shared/history/turns.ts";
import { callsIn, geminiParser, ownLines, parsedMessage, saidIn, titleIn } from "./parser.ts";

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
  // Lines that set all messages at once repeat older messages, at a start or a compression, so they do not count.
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

/** The host writes the project's folder to a file next to the chats. */
function projectRoot(path: string): string | undefined {
  const chats = basename(dirname(path)) === "chats" ? dirname(path) : dirname(dirname(path));
  try {
    return readText(join(dirname(chats), ".project_root"), { maxBytes: 64 * 1024 }).trim() || undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined; // older versions keep only a hash of it
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

/** How many messages at a session's end are read. */
const TAIL_MESSAGES = 50;

/**
 * A chat of older versions: one JSON document that the host rewrote each time. Offsets are positions in its list of
 * messages. The whole document is held in memory, so a document longer than the longest line is reported, not read.
 */
function readWhole(path: string, place: Place, options: ReadOptions): Reading {
  let tally = createTally();
  return {
    report: () => tally.report(),
    *[Symbol.iterator]() {
      tally = createTally();
      const document = load(path, options.maxLineBytes ?? MAX_LINE_BYTES);
      if (typeof document === "string") return tally.failed(document);
      const messages = document["messages"];
      const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
      const list = all.slice(0, options.before);
      const asked = options.tailBytes === undefined ? (options.from ?? 0) : list.length - TAIL_MESSAGES;
      const from = asked >= 0 && asked <= list.length ? asked : 0;
      tally.began(from);
      const title = titleIn(document);
      if (title !== undefined) tally.titled(title);
      for (const [index, message] of [...list.entries()].slice(from)) {
        tally.line();
        const parsed = isRecord(message) ? parsedMessage(message, index, place) : undefined;
        if (parsed === undefined) tally.damaged(index);
        else if ("unknown" in parsed) tally.unknown(parsed.unknown);
        else if ("passed" in parsed) tally.passed(parsed.passed);
        else if ("turns" in parsed) {
          tally.used();
          yield* parsed.turns;
        }
        // The host may still extend the last message.
        tally.resumeAt(index);
      }
    },
  };
}

function wholeHeader(path: string): Header {
  const document = load(path, MAX_LINE_BYTES);
  if (typeof document === "string") return {};
  const first = listAt(document, "messages")[0];
  const startedAt = timeOf(document["startTime"]) ?? timeOf(first?.["timestamp"]);
  return present({ id: textAt(document, "sessionId"), startedAt, title: titleIn(document) });
}

/** The document, or the reason why it cannot be read. */
function load(path: string, maxBytes: number): Record<string, unknown> | string {
  try {
    return parseJson(readText(path, { maxBytes })) ?? `${path} is not a JSON document, or half written`;
  } catch (error) {
    if (systemCode(error) === "too-large")
      return `${path} is larger than ${maxBytes} bytes and must be read at once`;
    if (isSystemError(error)) return error.message;
    throw error;
  }
}
