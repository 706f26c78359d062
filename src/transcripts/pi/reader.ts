import { basename, dirname, join } from "node:path";
import { userHome } from "../../store/home.ts";
import { textAt, timeOf } from "../fields.ts";
import { filesUnder, ofProject, sizeOf } from "../files.ts";
import { headerFrom } from "../header.ts";
import { readJsonLines } from "../read-json-lines.ts";
import type { Header, Reach, SessionFile, TranscriptReader } from "../reader.ts";
import { otherBranches } from "./branches.ts";
import { piParser } from "./parser.ts";

export const piReader: TranscriptReader = {
  host: "pi",
  discover(env, { project, onFailure } = {}) {
    const agent = env["PI_CODING_AGENT_DIR"] || join(userHome(env), ".pi", "agent");
    // A folder of the user's own holds the files itself, pi's one folder for each project.
    const folder = env["PI_CODING_AGENT_SESSION_DIR"] || join(agent, "sessions");
    const files = [...filesUnder(folder, 1, onFailure)].flatMap((path) => sessionAt(path) ?? []);
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
};

/** `<time>_<id>.jsonl`, where a user may have chosen the id. */
function sessionAt(path: string): SessionFile | undefined {
  const id = /^[\dTZ-]+_(.+)\.jsonl$/.exec(basename(path))?.[1];
  const found = id === undefined ? undefined : sizeOf(path);
  return id === undefined || found === undefined ? undefined : { host: "pi", id, path, ...found };
}

function headerOf(file: SessionFile, reach?: Reach): Header {
  return headerFrom(
    file.path,
    (entry) => {
      const name = entry["type"] === "session_info" ? textAt(entry, "name") : undefined;
      if (name !== undefined) return { title: { text: name, by: "person" } };
      if (entry["type"] !== "session") return {};
      const id = textAt(entry, "id");
      const cwd = textAt(entry, "cwd");
      const startedAt = timeOf(entry["timestamp"]);
      // The first version calls it otherwise.
      const forkOf = textAt(entry, "parentSession") ?? textAt(entry, "branchedFrom");
      return {
        ...(id === undefined ? {} : { id }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(forkOf === undefined ? {} : { forkOf }),
      };
    },
    reach,
  );
}
