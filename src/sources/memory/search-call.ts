import { ContinuoError } from "../../base/errors.ts";
import { findAll, findersFor } from "../../moments/find.ts";
import type { Finder, FindFilter } from "../../moments/ports/finder.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { failure, recordHealth } from "../../store/health.ts";
import { foundText } from "./found-text.ts";
import { notesFinder } from "./notes-finder.ts";
import type { SearchMode } from "./search/search.ts";
import type { Arguments } from "./tool-arguments.ts";

const MOST_RESULTS = 50;
/** The model waits, and may have meant a note: what is new is worth a moment, the rest is read by the next ones. */
const PATIENCE_MS = 1_000;

/** Notes and whatever else there is to find, in one answer. */
export async function searchMemories(
  args: Arguments,
  call: ToolContext,
  others: readonly Finder[],
): Promise<string> {
  const query = args.text("query");
  const mode = args.choice<SearchMode>("mode", ["Hybrid", "Semantic", "FullText"]);
  const pageSize = args.whole("pageSize", 1, MOST_RESULTS);
  const page = args.whole("page", 1, 1000) ?? 1;
  const filter = filterOf(args, call.now);
  const finders = [notesFinder(mode), ...others];
  const kind = args.choice(
    "in",
    finders.map((one) => one.kind),
  );
  const answers = await findAll(
    findersFor(finders, kind, filter, call),
    { query, filter, page, patienceMs: PATIENCE_MS },
    {
      call,
      ...args.given("pageSize", pageSize),
      onTrouble: (where, error) =>
        recordHealth(call.home.logs, failure(`search_memories: ${where}`, error, call.now, call.session.id)),
    },
  );
  return foundText(answers);
}

function filterOf(args: Arguments, now: number): FindFilter {
  const since = args.time("since", now);
  const until = args.time("until", now);
  if (since !== undefined && until !== undefined && since >= until)
    throw new ContinuoError("invalid-argument", "since is not before until", {
      hint: "since is the earlier of both; 7d is a week ago",
    });
  return {
    ...args.given("folder", args.filledText("folder")),
    ...args.given("tags", args.filledTexts("tags")),
    ...args.given("host", args.filledText("host")),
    ...args.given("project", args.filledText("project")),
    ...args.given("branch", args.filledText("branch")),
    ...args.given("file", args.filledText("file")),
    ...args.given("since", since),
    ...args.given("until", until),
  };
}
