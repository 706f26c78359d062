import { basename, dirname, join, resolve } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { shellWord } from "../../../base/text.ts";
import type { Header, Reach, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { readText, statFile } from "../../../store/read-file.ts";
import { parseJson, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, ofProject } from "../../shared/history/files.ts";
import { headerFrom } from "../../shared/history/header.ts";
import { readJsonLines } from "../../shared/history/read-json-lines.ts";
import { otherBranches } from "./branches.ts";
import { piLastRequest } from "./last-request.ts";
import { piParser } from "./parser.ts";
import { createTitles } from "./titles.ts";

export const piReader: TranscriptReader = {
  host: "pi",
  discover(env, { project, onFailure } = {}) {
    const paths = foldersOf(env).flatMap((folder) => [...filesUnder(folder, 1, onFailure)]);
    const files = [...new Set(paths)].flatMap((path) => sessionAt(path) ?? []);
    return ofProject(files, project, headerOf);
  },
  headerOf,
  read(file, options = {}) {
    const makeParser = () => {
      const cwd = file.cwd ?? headerOf(file).cwd ?? dirname(file.path);
      return piParser({ cwd, root: options.root ?? cwd }, otherBranches(file.path));
    };
    return readJsonLines(file.path, makeParser, options);
  },
  lastRequest: piLastRequest,
  // The file: pi looks for an id in the sessions of the current folder only.
  resumeCommand: ({ path }) => `pi --session ${shellWord(path)}`,
};

/**
 * pi's own folder has one for each project; one of the user's own, from the variable or the settings, holds the files
 * itself. What lies in another than the current one is still there.
 */
function foldersOf(env: NodeJS.ProcessEnv): string[] {
  const home = userHome(env);
  const named = (folder: string): string => resolve(folder.replace(/^~(?=\/|$)/, home));
  const agent = named(env["PI_CODING_AGENT_DIR"] || join(home, ".pi", "agent"));
  const chosen = env["PI_CODING_AGENT_SESSION_DIR"];
  const setting = textAt(parseJson(textOf(join(agent, "settings.json")) ?? "") ?? {}, "sessionDir");
  return [
    join(agent, "sessions"),
    ...(chosen ? [named(chosen)] : []),
    // A relative one is another folder in each project: those sessions are told by pi itself, when it rests.
    ...(setting !== undefined && /^[~/\\]|^[A-Za-z]:/.test(setting) ? [named(setting)] : []),
  ];
}

function textOf(path: string): string | undefined {
  try {
    return readText(path, { maxBytes: 4 * 1024 * 1024 });
  } catch (error) {
    if (isSystemError(error)) return undefined; // most people have none, and pi's own folder is looked at anyway
    throw error;
  }
}

/** `<time>_<id>.jsonl`, where a user may have chosen the id. */
function sessionAt(path: string): SessionFile | undefined {
  const id = /^[\dTZ-]+_(.+)\.jsonl$/.exec(basename(path))?.[1];
  const found = id === undefined ? undefined : statFile(path);
  return id === undefined || found === undefined ? undefined : { host: "pi", id, path, ...found };
}

/**
 * A fork is a new file with the old entries, which are older than the file's header. A new session that only names the one
 * before it has none of its entries.
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
      const id = textAt(entry, "id");
      const cwd = textAt(entry, "cwd");
      const startedAt = timeOf(entry["timestamp"]);
      const before = textAt(entry, "parentSession");
      if (before !== undefined && startedAt !== undefined) origin = { session: before, forkedAt: startedAt };
      // The first version knows only forks.
      const forkOf = textAt(entry, "branchedFrom");
      return {
        ...(id === undefined ? {} : { id }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(forkOf === undefined ? {} : { forkOf }),
        ...(before === undefined ? {} : { continues: before }),
      };
    },
    reach,
  );
  const title = titles.newest();
  return {
    ...header,
    ...(title === undefined ? {} : { title }),
    ...(continues === undefined || header.forkOf !== undefined ? {} : { continues }),
  };
}
