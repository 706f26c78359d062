import { dirname, join, sep } from "node:path";
import type { Header, Reach, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import type { LastRequest } from "../../../moments/types.ts";
import { userHome } from "../../../store/home.ts";
import { statFile } from "../../../store/read-file.ts";
import { type Entry, entryAt, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesOfRoots, filesUnder, headerFrom, newestOf, ofProject } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { readJsonLines } from "../../shared/history/read-json-lines.ts";
import {
  asTyped,
  blocksIn,
  createTitles,
  isInterruption,
  isPrompt,
  PASSED,
  PASSED_SYSTEM,
  saidIn,
} from "./lines.ts";
import { claudeCodeParser } from "./parser.ts";

export const claudeCodeReader: TranscriptReader = {
  host: "claude-code",
  discover(env, { project, onFailure } = {}) {
    const folder = projectsFolder(env);
    const files = [...filesUnder(folder, 5, onFailure)].flatMap((path) => sessionAt(folder, path) ?? []);
    return ofProject(files, project, headerOf);
  },
  recent(env, query) {
    const folder = projectsFolder(env);
    return newestOf(
      filesOfRoots(folder, query),
      query,
      (path) => sessionAt(folder, path),
      headerOf,
      WITHOUT_CONVERSATION,
    );
  },
  headerOf,
  read(file, options = {}) {
    const makeParser = () => {
      const cwd = file.cwd ?? headerOf(file).cwd ?? dirname(file.path);
      return claudeCodeParser({ cwd, root: options.root ?? cwd });
    };
    return readJsonLines(file.path, makeParser, options);
  },
  lastRequest: claudeCodeLastRequest,
  resumeWords: ({ id }) => ["claude", "--resume", id],
};

/** The host writes such lines also after the hooks of a turn's end, and when a session is left open. */
const WITHOUT_CONVERSATION = [...PASSED, ...[...PASSED_SYSTEM].map((subtype) => `system/${subtype}`)];

function projectsFolder(env: NodeJS.ProcessEnv): string {
  return join(env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude"), "projects");
}

/**
 * `<folder of the project>/<session>.jsonl`, and a session's subagents under `<session>/subagents/`; older versions put
 * those beside the sessions, and only their lines name the session.
 */
function sessionAt(folder: string, path: string): SessionFile | undefined {
  if (!path.endsWith(".jsonl")) return undefined;
  const parts = path.slice(folder.length + 1).split(sep);
  const id = parts.at(-1)?.slice(0, -".jsonl".length) ?? "";
  if (parts.length < 2) return undefined;
  const isAgent = id.startsWith("agent-");
  if (parts.length > 2 && !(isAgent && parts[2] === "subagents")) return undefined;
  const found = statFile(path);
  if (found === undefined) return undefined;
  const file: SessionFile = { host: "claude-code", id, path, ...found };
  if (!isAgent) return file;
  const parent = parts.length > 2 ? parts[1] : headerOf(file, "beginning").parent;
  return parent === undefined ? file : { ...file, parent };
}

function headerOf(file: SessionFile, reach?: Reach): Header {
  const titles = createTitles();
  return headerFrom(
    file.path,
    (entry) => {
      titles.see(entry);
      return { ...headerIn(entry), ...present({ title: titles.newest() }) };
    },
    reach,
  );
}

function headerIn(entry: Entry): Header {
  return present({
    cwd: textAt(entry, "cwd"),
    branch: textAt(entry, "gitBranch") || undefined,
    startedAt: timeOf(entry["timestamp"]),
    parent: entry["isSidechain"] === true ? textAt(entry, "sessionId") : undefined,
    forkOf: textAt(entryAt(entry, "forkedFrom"), "sessionId"),
    isHeadless: entry["promptSource"] === "sdk" || entry["entrypoint"] === "sdk-cli" || undefined,
  });
}

export function claudeCodeLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|assistant)"/.test(line));
}

function trace(entry: Entry): Trace | undefined {
  if (entry["isSidechain"] === true) return undefined;
  const text = asTyped(saidIn(entry));
  if (entry["type"] === "assistant") {
    const isAnswer = entry["isApiErrorMessage"] !== true && text !== "" && !callsTool(entry);
    return { kind: "work", isAnswer };
  }
  if (entry["type"] !== "user") return undefined;
  if (isInterruption(text)) return { kind: "work", isAnswer: false };
  // The echo of a command is not a request.
  return isPrompt(entry) && !text.startsWith("<command-")
    ? { kind: "request", text, at: entry["timestamp"] }
    : undefined;
}

function callsTool(entry: Entry): boolean {
  return blocksIn(entry).some((block) => block["type"] === "tool_use");
}
