import { basename, join, resolve } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Header, Reach, SessionFile } from "../../../moments/ports/history.ts";
import type { LastRequest } from "../../../moments/types.ts";
import { userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { entryAt, parseJson, present, textAt, textOf, timeOf } from "../../shared/history/fields.ts";
import { filesOfRoots, filesUnder, foldersUnder, headerFrom } from "../../shared/history/files.ts";
import { newestRequest } from "../../shared/history/last-request.ts";
import { keptOverview } from "../../shared/history/lines.ts";
import { readerOf } from "../../shared/history/session-files.ts";
import { otherBranches } from "./branches.ts";
import { createTitles, piParser } from "./parser.ts";

const branchesOf = keptOverview(otherBranches);

/** `<time>_<id>.jsonl`. The user may have chosen the id. */
export const piReader = readerOf({
  host: "pi",
  paths: (env, onFailure) =>
    new Set(foldersOf(env).flatMap((folder) => [...filesUnder(folder, 1, onFailure)])),
  recentPaths(env, query) {
    const [own = "", ...chosen] = foldersOf(env);
    query.basis?.watch(settingsFile(env));
    for (const folder of chosen) query.basis?.watchNames(folder, ...foldersUnder(folder));
    return new Set([
      ...filesOfRoots(own, query),
      ...chosen.flatMap((folder) => [...filesUnder(folder, 1, undefined, true)]),
    ]);
  },
  named(path) {
    const id = /^[\dTZ-]+_(.+)\.jsonl$/.exec(basename(path))?.[1];
    return id === undefined ? undefined : { id };
  },
  headerOf,
  parser: ({ file, place }) => piParser(place, branchesOf(file.path)),
  lastRequest,
  // The path, because pi looks for an id only in the sessions of the current folder.
  resumeWords: ({ path }) => ["pi", "--session", path],
});

/**
 * pi's own folder has a subfolder for each project. A folder that the user configured, by the variable or in the
 * settings, contains the files directly. All are read, because sessions from before a changed setting are still there.
 */
function foldersOf(env: NodeJS.ProcessEnv): string[] {
  const chosen = env["PI_CODING_AGENT_SESSION_DIR"];
  const setting = textAt(parseJson(textIfThere(settingsFile(env)) ?? "") ?? {}, "sessionDir");
  return [
    join(agentFolder(env), "sessions"),
    ...(chosen ? [named(chosen, env)] : []),
    // A relative folder depends on the project: pi itself reports those sessions when it goes idle.
    ...(setting !== undefined && /^[~/\\]|^[A-Za-z]:/.test(setting) ? [named(setting, env)] : []),
  ];
}

function agentFolder(env: NodeJS.ProcessEnv): string {
  return named(env["PI_CODING_AGENT_DIR"] || join(userHome(env), ".pi", "agent"), env);
}

function settingsFile(env: NodeJS.ProcessEnv): string {
  return join(agentFolder(env), "settings.json");
}

function named(folder: string, env: NodeJS.ProcessEnv): string {
  return resolve(folder.replace(/^~(?=\/|$)/, userHome(env)));
}

function textIfThere(path: string): string | undefined {
  try {
    return readText(path, { maxBytes: 4 * 1024 * 1024 });
  } catch (error) {
    if (isSystemError(error)) return undefined; // most users have no settings; pi's own folder is read anyway
    throw error;
  }
}

/**
 * A fork is a new file with copied entries, which are older than the file's header. A new session that merely continues
 * another one names it, but contains none of its entries.
 */
function headerOf(file: SessionFile, reach?: Reach): Header {
  let origin: { readonly session: string; readonly forkedAt: number } | undefined;
  const titles = createTitles();
  const { continues, ...header } = headerFrom(
    file.path,
    (entry) => {
      const isOlder = origin !== undefined && (timeOf(entry["timestamp"]) ?? Infinity) < origin.forkedAt;
      if (origin !== undefined && isOlder) return { forkOf: origin.session };
      titles.see(entry);
      if (entry["type"] !== "session") return {};
      const startedAt = timeOf(entry["timestamp"]);
      const before = textAt(entry, "parentSession");
      if (before !== undefined && startedAt !== undefined) origin = { session: before, forkedAt: startedAt };
      return present({
        id: textAt(entry, "id"),
        cwd: textAt(entry, "cwd"),
        startedAt,
        forkOf: textAt(entry, "branchedFrom"), // the first version knows only forks
        continues: before,
      });
    },
    reach,
  );
  return {
    ...header,
    ...present({ title: titles.newest(), continues: header.forkOf === undefined ? continues : undefined }),
  };
}

/**
 * Reads pi's session file from its end. The file is a tree: only the path from the last entry back to the root is the
 * current branch. Entries by extensions, including Continuo's, have other types or roles.
 */
function lastRequest(path: string): LastRequest | undefined {
  // Files of pi's first versions have no ids: everything is one branch, and this stays undefined.
  let next: unknown;
  return newestRequest(path, (entry) => {
    if (next !== undefined && entry["id"] !== next) return undefined;
    next = entry["parentId"];
    if (entry["type"] !== "message") return undefined;
    const message = entryAt(entry, "message");
    switch (message["role"]) {
      // A message that calls a tool, or that was interrupted, is not the answer.
      case "assistant":
        return { kind: "work", isAnswer: message["stopReason"] === "stop" };
      case "toolResult":
        return { kind: "work", isAnswer: false };
      case "user":
        return { kind: "request", text: textOf(message["content"]), at: entry["timestamp"] };
      default:
        return undefined;
    }
  });
}
