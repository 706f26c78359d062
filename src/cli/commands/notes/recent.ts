import { oneLine } from "../../../base/for-terminal.ts";
import { parseTimespan } from "../../../search/timespan.ts";
import type { Command } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { countsOf } from "./counts.ts";
import { NO_NOTES } from "./no-notes.ts";
import { lookFirst, withMemory } from "./with-memory.ts";
import { choiceOf, exactly, FILTER_OPTIONS, filterOf, textOf, wholeOf } from "./words.ts";

const USAGE = "recent";
const KINDS = ["all", "memory", "thinking", "assumptions"] as const;

export const recentCommand: Command = {
  name: "recent",
  summary: "the notes that changed last",
  usage: USAGE,
  group: "notes",
  options: {
    ...FILTER_OPTIONS,
    timespan: { type: "string", value: "SPAN", help: "as --since, also in .NET's form: 1.00:00:00" },
    kind: {
      type: "string",
      value: "KIND",
      choices: KINDS,
      help: "all (as without it), memory, thinking or assumptions",
    },
    limit: { type: "string", value: "N", help: "10 without it" },
  },
  run(input) {
    exactly(input, 0, USAGE);
    const limit = wholeOf(input, "limit", 1, 10_000) ?? 10;
    const kind = choiceOf(input, "kind", KINDS) ?? "all";
    const timespan = textOf(input, "timespan");
    if (timespan !== undefined) parseTimespan(timespan);
    const filter = filterOf(input);
    return withMemory(input, async (memory) => {
      await lookFirst(input, memory);
      const notes = await memory.recent({
        limit,
        kind,
        ...filter,
        ...(timespan === undefined ? {} : { timespan }),
      });
      const items = notes.map(({ uri, title, path, modified, tags, concepts }) => ({
        uri,
        title,
        path,
        modified: new Date(modified).toISOString(),
        tags,
        concepts,
      }));
      const rows = items.map(({ modified, title, uri }) => [
        modified.slice(0, 16).replace("T", " "),
        uri,
        oneLine(title),
      ]);
      const none = countsOf(memory).notes === 0 ? NO_NOTES : "No note changed in that time.";
      return {
        data: { items },
        text: rows.length === 0 ? none : table(["changed (UTC)", "note", "title"], rows),
      };
    });
  },
};
