import { basename, dirname, join } from "node:path";
import type { Header, SessionFile, TranscriptReader } from "../../moments/ports/history.ts";
import { sizeOf } from "../../store/file-size.ts";
import { userHome } from "../../store/home.ts";
import { textAt } from "../shared/history/fields.ts";
import { filesUnder, ofProject } from "../shared/history/files.ts";
import { readJsonLines } from "../shared/history/read-json-lines.ts";
import { makeTurn } from "../shared/history/turns.ts";

/** One file of JSON lines for each session; each line is a prompt. */
export const acmeReader: TranscriptReader = {
  host: "acme",
  discover(env, { project, onFailure } = {}) {
    const files = [...filesUnder(join(userHome(env), ".acme", "sessions"), 0, onFailure)];
    return ofProject(files.flatMap(sessionAt), project, headerOf);
  },
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
  resumeCommand: ({ id }) => `acme --continue ${id}`,
};

function sessionAt(path: string): SessionFile[] {
  const found = sizeOf(path);
  return found === undefined ? [] : [{ host: "acme", id: basename(path, ".jsonl"), path, ...found }];
}

function headerOf({ path }: SessionFile): Header {
  return { cwd: dirname(path) };
}
