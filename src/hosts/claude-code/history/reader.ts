import { dirname, join, sep } from "node:path";
import { shellWord } from "../../../base/text.ts";
import type { Header, Reach, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { statFile } from "../../../store/read-file.ts";
import { type Entry, entryAt, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, ofProject } from "../../shared/history/files.ts";
import { headerFrom } from "../../shared/history/header.ts";
import { readJsonLines } from "../../shared/history/read-json-lines.ts";
import { claudeCodeLastRequest } from "./last-request.ts";
import { claudeCodeParser } from "./parser.ts";
import { createTitles } from "./titles.ts";

export const claudeCodeReader: TranscriptReader = {
  host: "claude-code",
  discover(env, { project, onFailure } = {}) {
    const folder = join(env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude"), "projects");
    const files = [...filesUnder(folder, 5, onFailure)].flatMap((path) => sessionAt(folder, path) ?? []);
    return ofProject(files, project, headerOf);
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
  resumeCommand: ({ id }) => `claude --resume ${shellWord(id)}`,
};

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
      const title = titles.newest();
      return { ...told(entry), ...(title === undefined ? {} : { title }) };
    },
    reach,
  );
}

function told(entry: Entry): Header {
  const cwd = textAt(entry, "cwd");
  const branch = textAt(entry, "gitBranch");
  const startedAt = timeOf(entry["timestamp"]);
  const session = textAt(entry, "sessionId");
  const forkOf = textAt(entryAt(entry, "forkedFrom"), "sessionId");
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(branch ? { branch } : {}),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(entry["isSidechain"] === true && session !== undefined ? { parent: session } : {}),
    ...(forkOf === undefined ? {} : { forkOf }),
  };
}
