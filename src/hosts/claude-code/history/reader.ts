import { basename, join, sep } from "node:path";
import type { Header, Reach } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { type Entry, entryAt, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesOfRoots, filesUnder, headerFrom } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { readerOf } from "../../shared/history/session-files.ts";
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

/** `<folder of the project>/<session>.jsonl`, and a session's subagents under `<session>/subagents/`. */
export const claudeCodeReader = readerOf({
  host: "claude-code",
  paths: (env, onFailure) => filesUnder(projectsFolder(env), 5, onFailure),
  recentPaths: (env, query) => filesOfRoots(projectsFolder(env), query),
  named(path, env) {
    const parts = path.slice(projectsFolder(env).length + 1).split(sep);
    const id = basename(path, ".jsonl");
    const isAgent = id.startsWith("agent-");
    const isSession = parts.length === 2 || (parts.length > 2 && isAgent && parts[2] === "subagents");
    if (!isSession || !path.endsWith(".jsonl")) return undefined;
    if (!isAgent) return { id };
    // Older versions put subagents' files beside the sessions, and only their lines name the session.
    return { id, ...present({ parent: parts.length > 2 ? parts[1] : headerAt(path, "beginning").parent }) };
  },
  headerOf: ({ path }, reach) => headerAt(path, reach),
  // The host writes such lines even after the hooks at a turn's end, and when a session is left open.
  ignored: [...PASSED, ...[...PASSED_SYSTEM].map((subtype) => `system/${subtype}`)],
  parser: ({ place }) => claudeCodeParser(place),
  lastRequest: (path) => newestRequest(path, trace, (line) => /"type":"(?:user|assistant)"/.test(line)),
  resumeWords: ({ id }) => ["claude", "--resume", id],
});

function projectsFolder(env: NodeJS.ProcessEnv): string {
  return join(env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude"), "projects");
}

function headerAt(path: string, reach?: Reach): Header {
  const titles = createTitles();
  return headerFrom(
    path,
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

function trace(entry: Entry): Trace | undefined {
  if (entry["isSidechain"] === true) return undefined;
  const text = asTyped(saidIn(entry));
  if (entry["type"] === "assistant") {
    const isAnswer = entry["isApiErrorMessage"] !== true && text !== "" && !callsTool(entry);
    return { kind: "work", isAnswer };
  }
  if (entry["type"] !== "user") return undefined;
  if (isInterruption(text)) return { kind: "work", isAnswer: false };
  // The echo of a command is not a request by the user.
  return isPrompt(entry) && !text.startsWith("<command-")
    ? { kind: "request", text, at: entry["timestamp"] }
    : undefined;
}

function callsTool(entry: Entry): boolean {
  return blocksIn(entry).some((block) => block["type"] === "tool_use");
}
