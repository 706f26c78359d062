import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Header, SessionFile, Title, TranscriptReader } from "../../../moments/ports/history.ts";
import type { LastRequest } from "../../../moments/types.ts";
import { userHome } from "../../../store/home.ts";
import { readText, statFile } from "../../../store/read-file.ts";
import { type Entry, entryAt, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, headerFrom, newestOf, ofProject } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { readJsonLines } from "../../shared/history/read-json-lines.ts";
import { callsIn, copilotParser, isOfSubagent, saidIn } from "./parser.ts";

export const copilotReader: TranscriptReader = {
  host: "copilot",
  discover(env, { project, onFailure } = {}) {
    const files = [...filesUnder(stateFolder(env), 1, onFailure)].flatMap((path) => sessionAt(path) ?? []);
    return ofProject(files, project, headerOf);
  },
  recent(env, query) {
    query.basis?.watchNames(stateFolder(env));
    const found = newestOf(filesUnder(stateFolder(env), 1, undefined), query, sessionAt, headerOf);
    query.basis?.watch(...found.map(({ path }) => titleFile(path)));
    return found;
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
  resumeWords: ({ id }) => ["copilot", `--resume=${id}`],
};

function stateFolder(env: NodeJS.ProcessEnv): string {
  return join(env["COPILOT_HOME"] || join(userHome(env), ".copilot"), "session-state");
}

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
  // The last one counts: a fork of a fork also has the line of the first fork.
  let forkOf: string | undefined;
  const header = headerFrom(file.path, (event) => {
    const data = entryAt(event, "data");
    forkOf = forkedFrom(event, data) ?? forkOf;
    const handedOff = event["type"] === "session.handoff" ? textAt(data, "remoteSessionId") : undefined;
    if (handedOff !== undefined) return { continues: handedOff };
    if (event["type"] !== "session.start") return {};
    const context = entryAt(data, "context");
    return present({
      id: textAt(data, "sessionId"),
      cwd: textAt(context, "cwd"),
      branch: textAt(context, "branch"),
      startedAt: timeOf(data["startTime"]),
      // An agent that the host itself leaves running when a session ends: nobody asked for it.
      parent: textAt(data, "detachedFromSpawningParentSessionId"),
    });
  });
  return { ...header, ...present({ forkOf, title }) };
}

/** The line is meant for people: `Forked from "name" (id) as "name"`. The original gets a line too, in other words. */
function forkedFrom(event: Entry, data: Entry): string | undefined {
  if (event["type"] !== "session.info" || data["infoType"] !== "fork") return undefined;
  return /^Forked from [\s\S]*\(([^\s()]+)\) as "/.exec(textAt(data, "message") ?? "")?.[1];
}

/** The title is in `workspace.yaml`. One line of it is enough, so it is not parsed as YAML. */
function titleBeside(events: string): Title | undefined {
  try {
    const text = readText(titleFile(events), { maxBytes: 1024 * 1024 });
    const name = /^name: *(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.+))$/m.exec(text);
    const found = name?.[1] ?? name?.[2] ?? name?.[3];
    if (found === undefined) return undefined;
    return { text: found.trim(), by: /^user_named: *true\b/m.test(text) ? "person" : "host" };
  } catch (error) {
    if (isSystemError(error)) return undefined; // older versions have no such file
    throw error;
  }
}

function titleFile(events: string): string {
  return join(dirname(events), "workspace.yaml");
}

/** From `events.jsonl`. */
export function copilotLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|assistant)\.message"|abort"/.test(line));
}

function trace(event: Entry): Trace | undefined {
  if (isOfSubagent(event)) return undefined;
  const { type } = event;
  if (type === "abort") return { kind: "work", isAnswer: false };
  const text = saidIn(event);
  if (type === "user.message") return { kind: "request", text, at: event["timestamp"] };
  if (type !== "assistant.message") return undefined;
  return { kind: "work", isAnswer: text !== "" && callsIn(event).length === 0 };
}
