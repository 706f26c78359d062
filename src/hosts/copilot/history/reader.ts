import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Header, SessionFile, Title } from "../../../moments/ports/history.ts";
import { userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { type Entry, entryAt, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { filesUnder, headerFrom } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import { readerOf } from "../../shared/history/session-files.ts";
import { callsIn, copilotParser, isOfSubagent, saidIn } from "./parser.ts";

/** `<session>/events.jsonl`; the first versions wrote `<session>.jsonl`. */
export const copilotReader = readerOf({
  host: "copilot",
  paths: (env, onFailure) => filesUnder(stateFolder(env), 1, onFailure),
  recentPaths(env, { basis }) {
    basis?.watchNames(stateFolder(env));
    return filesUnder(stateFolder(env), 1, undefined);
  },
  named(path) {
    if (basename(path) === "events.jsonl") return { id: basename(dirname(path)) };
    const isSession = path.endsWith(".jsonl") && basename(dirname(path)) === "session-state";
    return isSession ? { id: basename(path, ".jsonl") } : undefined;
  },
  titleFile,
  headerOf,
  parser: ({ place, header }) => ({ ...copilotParser(place), title: () => header().title }),
  lastRequest: (path) =>
    newestRequest(path, trace, (line) => /"type":"(?:user|assistant)\.message"|abort"/.test(line)),
  resumeWords: ({ id }) => ["copilot", `--resume=${id}`],
});

function stateFolder(env: NodeJS.ProcessEnv): string {
  return join(env["COPILOT_HOME"] || join(userHome(env), ".copilot"), "session-state");
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

function trace(event: Entry): Trace | undefined {
  if (isOfSubagent(event)) return undefined;
  const { type } = event;
  if (type === "abort") return { kind: "work", isAnswer: false };
  const text = saidIn(event);
  if (type === "user.message") return { kind: "request", text, at: event["timestamp"] };
  if (type !== "assistant.message") return undefined;
  return { kind: "work", isAnswer: text !== "" && callsIn(event).length === 0 };
}
