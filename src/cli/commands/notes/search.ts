import { oneLine } from "../../../base/for-terminal.ts";
import type { Hit } from "../../../sources/memory/search/search.ts";
import type { Command } from "../../command.ts";
import { countsOf } from "./counts.ts";
import { foundElsewhere } from "./found-elsewhere.ts";
import { NO_NOTES } from "./no-notes.ts";
import { lookFirst, withMemory } from "./with-memory.ts";
import { choiceOf, FILTER_OPTIONS, filterOf, shareOf, subject, wholeOf } from "./words.ts";

const USAGE = "search QUERY…";
const MODES = ["Hybrid", "FullText", "Semantic"] as const;

export const searchCommand: Command = {
  name: "search",
  summary: "find notes, and past sessions",
  usage: USAGE,
  group: "notes",
  options: {
    mode: {
      type: "string",
      value: "MODE",
      choices: MODES,
      help: "Hybrid (as without it), FullText or Semantic",
    },
    ...FILTER_OPTIONS,
    limit: { type: "string", value: "N", help: "notes on a page; 10 without it" },
    page: { type: "string", value: "N", help: "from 1 on" },
    sessions: { type: "boolean", help: "past sessions of every host as well" },
    "min-score": { type: "string", value: "SCORE", help: "only notes that fit at least so well, 0 to 1" },
  },
  async run(input) {
    const query = subject(input, "words", USAGE);
    const mode = choiceOf(input, "mode", MODES);
    const pageSize = wholeOf(input, "limit", 1, 1000) ?? 10;
    const page = wholeOf(input, "page", 1, 100_000) ?? 1;
    const minScore = shareOf(input, "min-score");
    const filter = filterOf(input);
    // Asked first: a filter that no session can pass is refused before anything is read.
    const others =
      input.values["sessions"] === true
        ? await foundElsewhere(input, "sessions", { query, filter, page, pageSize })
        : undefined;
    return withMemory(input, async (memory) => {
      await lookFirst(input, memory);
      const asked = {
        query,
        page,
        pageSize,
        ...filter,
        ...(mode === undefined ? {} : { mode }),
        ...(minScore === undefined ? {} : { minScore }),
      };
      const { hits, total, notices } = await memory.search(asked);
      for (const notice of notices) input.tell?.(`continuo: ${notice}`);
      const found = {
        query,
        mode: mode ?? "Hybrid",
        page,
        pageSize,
        total,
        notices,
        results: hits.map(told),
      };
      const isEmpty = total === 0 && countsOf(memory).notes === 0;
      const own = isEmpty ? NO_NOTES : lines(hits, { total, page, pageSize }).join("\n");
      return {
        data: { ...found, ...others?.data },
        text: [own, ...(others === undefined ? [] : ["", ...others.lines])].join("\n"),
      };
    });
  },
};

function told({ modified, ...hit }: Hit) {
  return { ...hit, modified: new Date(modified).toISOString() };
}

function lines(
  hits: readonly Hit[],
  { total, page, pageSize }: { readonly total: number; readonly page: number; readonly pageSize: number },
): string[] {
  const pages = Math.ceil(total / pageSize);
  if (total === 0) return ["No note fits. Try fewer words, or another spelling."];
  if (hits.length === 0) return [`There is no page ${page}: the last one is ${pages}.`];
  return [
    ...hits.flatMap((hit) => [
      `${hit.score.toFixed(2)}  ${oneLine(hit.title)}`,
      `      ${oneLine(hit.uri)}  ${new Date(hit.modified).toISOString().slice(0, 10)}`,
      ...(hit.snippet.trim() === "" ? [] : [`      ${oneLine(hit.snippet)}`]),
      "",
    ]),
    `${total} ${total === 1 ? "note" : "notes"}${pages > 1 ? `, page ${page} of ${pages}` : ""}`,
  ];
}
