import { dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Title } from "../../../moments/ports/history.ts";
import { parseJson, textAt } from "../../shared/history/fields.ts";
import { keptOverview, tailLines } from "../../shared/history/lines.ts";

export const NAMES_FILE = "session_index.jsonl";

/** Names are added at the end: the newest are in the last part of the file. */
const REACH = 1024 * 1024;

/**
 * The name of a thread. Codex keeps all names in one file beside the folders of sessions, one line for each change. It does
 * not say who gave a name, so it counts as a person's.
 */
export function codexTitle(path: string, id: string): Title | undefined {
  const file = namesBeside(path);
  const name = file === undefined ? undefined : namesIn(file).get(id);
  return name === undefined ? undefined : { text: name, by: "person" };
}

function namesBeside(path: string): string | undefined {
  const home = /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(`${dirname(path)}/`)?.[1];
  return home === undefined ? undefined : join(home, NAMES_FILE);
}

/** Read once for all sessions, and again when it has changed. */
const namesIn = keptOverview(readNames);

function readNames(file: string): Map<string, string> {
  const names = new Map<string, string>();
  try {
    // The newest first.
    for (const line of tailLines(file, REACH)) {
      const entry = parseJson(line) ?? {};
      const id = textAt(entry, "id");
      if (id !== undefined && !names.has(id)) names.set(id, textAt(entry, "thread_name")?.trim() ?? "");
    }
  } catch (error) {
    if (!isSystemError(error)) throw error; // most people gave no session a name
  }
  for (const [id, name] of names) if (name === "") names.delete(id);
  return names;
}
