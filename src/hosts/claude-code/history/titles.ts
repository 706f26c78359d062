import type { Title } from "../../../moments/ports/history.ts";
import { type Entry, textAt } from "../../shared/history/fields.ts";
import { preferred } from "../../shared/history/tally.ts";

/** A file's lines name at most this many other sessions that we wait for. */
const MAX_SUMMARIES = 100;

/**
 * The names of a session as its lines tell them. Old versions wrote summaries of other sessions into a new file, so one
 * counts only if the message that it names is in this file.
 */
export function createTitles(): { see(entry: Entry): void; newest(): Title | undefined } {
  const summaries = new Map<string, string>();
  let title: Title | undefined;
  return {
    newest: () => title,
    see(entry) {
      const type = entry["type"];
      if (type === "summary") {
        const leaf = textAt(entry, "leafUuid");
        if (leaf !== undefined && summaries.size < MAX_SUMMARIES)
          summaries.set(leaf, textAt(entry, "summary") ?? "");
      }
      const told = nameIn(entry, summaries);
      title = preferred(title, told);
    },
  };
}

function nameIn(entry: Entry, summaries: ReadonlyMap<string, string>): Title | undefined {
  if (entry["type"] === "custom-title") return { text: textAt(entry, "customTitle") ?? "", by: "person" };
  if (entry["type"] === "ai-title") return { text: textAt(entry, "aiTitle") ?? "", by: "host" };
  const summary = summaries.size === 0 ? undefined : summaries.get(textAt(entry, "uuid") ?? "");
  return summary === undefined ? undefined : { text: summary, by: "host" };
}
