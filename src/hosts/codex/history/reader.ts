import { basename, dirname, join } from "node:path";
import { shellWord } from "../../../base/text.ts";
import type { Header, Reach, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { statFile } from "../../../store/read-file.ts";
import { type Entry, entryAt, parseJson, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, ofProject } from "../../shared/history/files.ts";
import { headerFrom } from "../../shared/history/header.ts";
import { readLines } from "../../shared/history/lines.ts";
import { readJsonLines } from "../../shared/history/read-json-lines.ts";
import { codexLastRequest } from "./last-request.ts";
import { codexParser } from "./parser.ts";

export const codexReader: TranscriptReader = {
  host: "codex",
  discover(env, { project, onFailure } = {}) {
    const home = env["CODEX_HOME"] || join(userHome(env), ".codex");
    const folders = [join(home, "sessions"), join(home, "archived_sessions")];
    const files = folders.flatMap((folder) =>
      [...filesUnder(folder, 3, onFailure)].flatMap((path) => sessionAt(path) ?? []),
    );
    return ofProject(files, project, headerOf);
  },
  headerOf,
  read(file, options = {}) {
    const makeParser = () => {
      const { cwd = dirname(file.path), parent } = headerOf(file);
      const parser = codexParser(
        { cwd, root: options.root ?? cwd },
        modelBefore(file.path, options.from ?? 0),
      );
      return parent === undefined ? parser : { ...parser, marks: { sidechain: true } as const };
    };
    return readJsonLines(file.path, makeParser, options);
  },
  lastRequest: codexLastRequest,
  resumeCommand: ({ id }) => `codex resume ${shellWord(id)}`,
};

/** Far beyond one turn; a file may be of any size. */
const MODEL_REACH = 16 * 1024 * 1024;

/** The model is told once a turn, before what it answers. */
function modelBefore(path: string, from: number): string | undefined {
  let model: string | undefined;
  if (from <= 0) return model;
  const begin = Math.max(0, from - MODEL_REACH);
  for (const { text, offset } of readLines(path, { from: begin, isWithin: begin > 0, isOver: () => true })) {
    if (offset >= from) break;
    const entry = text?.slice(0, 120).includes('"type":"turn_context"') ? parseJson(text) : undefined;
    if (entry !== undefined) model = textAt(entryAt(entry, "payload"), "model") ?? model;
  }
  return model;
}

/** `rollout-<time>-<id>.jsonl`. */
function sessionAt(path: string): SessionFile | undefined {
  const id = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl$/.exec(basename(path))?.[1];
  const found = id === undefined ? undefined : statFile(path);
  return id === undefined || found === undefined ? undefined : { host: "codex", id, path, ...found };
}

function headerOf(file: SessionFile, reach?: Reach): Header {
  return headerFrom(
    file.path,
    (entry) => {
      const meta = entry["type"] === "session_meta" ? entryAt(entry, "payload") : bareHeader(entry);
      if (meta === undefined) return {};
      const id = textAt(meta, "id");
      const cwd = textAt(meta, "cwd");
      const startedAt = timeOf(meta["timestamp"]);
      const branch = textAt(entryAt(meta, "git"), "branch");
      const parent = parentIn(meta);
      const forkOf = textAt(meta, "forked_from_id");
      return {
        ...(id === undefined ? {} : { id }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(branch === undefined ? {} : { branch }),
        ...(parent === undefined ? {} : { parent }),
        ...(forkOf === undefined ? {} : { forkOf }),
      };
    },
    reach,
  );
}

/** The first versions wrote it without a wrapping, and without the folder. */
function bareHeader(entry: Entry): Entry | undefined {
  return "id" in entry && "timestamp" in entry && !("type" in entry) ? entry : undefined;
}

function parentIn(meta: Entry): string | undefined {
  const spawn = entryAt(entryAt(entryAt(meta, "source"), "subagent"), "thread_spawn");
  return textAt(meta, "parent_thread_id") ?? textAt(spawn, "parent_thread_id");
}
