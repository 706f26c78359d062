import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { shellWord } from "../../../base/text.ts";
import type { Header, SessionFile, Title, TranscriptReader } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { readText, statFile } from "../../../store/read-file.ts";
import { type Entry, entryAt, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, ofProject } from "../../shared/history/files.ts";
import { headerFrom } from "../../shared/history/header.ts";
import { readJsonLines } from "../../shared/history/read-json-lines.ts";
import { copilotLastRequest } from "./last-request.ts";
import { copilotParser } from "./parser.ts";

export const copilotReader: TranscriptReader = {
  host: "copilot",
  discover(env, { project, onFailure } = {}) {
    const folder = join(env["COPILOT_HOME"] || join(userHome(env), ".copilot"), "session-state");
    const files = [...filesUnder(folder, 1, onFailure)].flatMap((path) => sessionAt(path) ?? []);
    return ofProject(files, project, headerOf);
  },
  headerOf,
  read(file, options = {}) {
    const makeParser = () => {
      const { cwd = dirname(file.path), title } = headerOf(file);
      return { ...copilotParser({ cwd, root: options.root ?? cwd }), title: () => title };
    };
    return readJsonLines(file.path, makeParser, options);
  },
  lastRequest: copilotLastRequest,
  resumeCommand: ({ id }) => `copilot --resume=${shellWord(id)}`,
};

/** `<session>/events.jsonl`; the first versions wrote `<session>.jsonl`. */
function sessionAt(path: string): SessionFile | undefined {
  const isFolder = basename(path) === "events.jsonl";
  const id = isFolder ? basename(dirname(path)) : basename(path, ".jsonl");
  const isSession = isFolder || (path.endsWith(".jsonl") && basename(dirname(path)) === "session-state");
  const found = isSession ? statFile(path) : undefined;
  return found === undefined ? undefined : { host: "copilot", id, path, ...found };
}

function headerOf(file: SessionFile): Header {
  const title = titleBeside(file.path);
  // The last one: a fork of a fork has what the first one was told, too.
  let forkOf: string | undefined;
  const header = headerFrom(file.path, (event) => {
    const data = entryAt(event, "data");
    forkOf = forkedFrom(event, data) ?? forkOf;
    const handedOff = event["type"] === "session.handoff" ? textAt(data, "remoteSessionId") : undefined;
    if (handedOff !== undefined) return { continues: handedOff };
    if (event["type"] !== "session.start") return {};
    const context = entryAt(data, "context");
    const id = textAt(data, "sessionId");
    const cwd = textAt(context, "cwd");
    const branch = textAt(context, "branch");
    const startedAt = timeOf(data["startTime"]);
    // An agent of the host's own, which it leaves running when a session ends: nobody asked for it.
    const parent = textAt(data, "detachedFromSpawningParentSessionId");
    return {
      ...(id === undefined ? {} : { id }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(branch === undefined ? {} : { branch }),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(parent === undefined ? {} : { parent }),
    };
  });
  return {
    ...header,
    ...(forkOf === undefined ? {} : { forkOf }),
    ...(title === undefined ? {} : { title }),
  };
}

/** In words, for the person: `Forked from "name" (id) as "name"`. The original is told of it as well, in others. */
function forkedFrom(event: Entry, data: Entry): string | undefined {
  if (event["type"] !== "session.info" || data["infoType"] !== "fork") return undefined;
  return /^Forked from [\s\S]*\(([^\s()]+)\) as "/.exec(textAt(data, "message") ?? "")?.[1];
}

/** The name stands in `workspace.yaml`, one line of which is all that is needed of it. */
function titleBeside(events: string): Title | undefined {
  try {
    const text = readText(join(dirname(events), "workspace.yaml"), { maxBytes: 1024 * 1024 });
    const name = /^name: *(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.+))$/m.exec(text);
    const found = name?.[1] ?? name?.[2] ?? name?.[3];
    if (found === undefined) return undefined;
    return { text: found.trim(), by: /^user_named: *true\b/m.test(text) ? "person" : "host" };
  } catch (error) {
    if (isSystemError(error)) return undefined; // older versions have no such file
    throw error;
  }
}
