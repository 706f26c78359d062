import { basename, dirname, join } from "node:path";
import type { Header, SessionFile, TranscriptReader } from "../../moments/ports/history.ts";
import { userHome } from "../../store/home.ts";
import { statFile } from "../../store/read-file.ts";
import { textAt } from "../shared/history/fields.ts";
import { filesUnder, newestOf, ofProject } from "../shared/history/files.ts";
import { readJsonLines } from "../shared/history/read-json-lines.ts";
import { makeTurn } from "../shared/history/turns.ts";

/** One file of JSON lines for each session; each line is a prompt. */
export const acmeReader: TranscriptReader = {
  host: "acme",
  discover(env, { project, onFailure } = {}) {
    const files = [...filesUnder(join(userHome(env), ".acme", "sessions"), 0, onFailure)];
    return ofProject(files.flatMap(sessionAt), project, headerOf);
  },
  recent: (env, query) =>
    newestOf(
      filesUnder(join(userHome(env), ".acme", "sessions"), 0, undefined),
      query,
      (path) => sessionAt(path)[0],
      headerOf,
    ),
  headerOf,
  read: (file, options = {}) =>
    readJsonLines(
      file.path,
      () => ({
        parse: (entry, offset) => ({
          turns: [makeTurn({ id: `@${offset}`, role: "user", text: textAt(entry, "prompt") ?? "", offset })],
        }),
      }),
      options,
    ),
  resumeWords: ({ id }) => ["acme", "--continue", id],
};

function sessionAt(path: string): SessionFile[] {
  const found = statFile(path);
  return found === undefined ? [] : [{ host: "acme", id: basename(path, ".jsonl"), path, ...found }];
}

function headerOf({ path }: SessionFile): Header {
  return { cwd: dirname(path) };
}
