import { ContinuoError } from "../../../base/errors.ts";
import { quoteLine } from "../../../compose/escape.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { fields, oneOf, optional, text, time, whole } from "../../../moments/actions/fields.ts";
import { checkTold } from "../../../moments/actions/input.ts";
import { type FinderAnswer, findAll, findersFor } from "../../../moments/offers/find.ts";
import type { Finder, FindFilter, Hit } from "../../../moments/ports/finder.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { timeOf } from "../../../search/timespan.ts";
import { failure, recordHealth } from "../../../store/health.ts";
import { FILTERS, MODE, QUERY } from "../actions/fields.ts";
import { withMemory } from "../memory.ts";
import { seenFromPlace } from "../note-project.ts";
import { NO_PROJECT, preferenceNotice } from "../search/project-notes.ts";
import type { SearchMode } from "../search/search.ts";
import { memorySettings } from "../settings.ts";

const MAX_RESULTS = 50;
/**
 * The model waits, and may be looking for a note: new transcripts are read for this long, and the rest by later
 * searches.
 */
const PATIENCE_MS = 1_000;

/** As a project: this project's notes are not preferred. */
const ALL_ALIKE = "*";

const INPUT = {
  query: QUERY,
  mode: MODE,
  pageSize: optional(whole("results of each kind", 1, MAX_RESULTS)),
  page: optional(whole("which page of the results", 1, 1000)),
  folder: FILTERS.folder,
  tags: FILTERS.tag,
  project: FILTERS.project,
  since: FILTERS.since,
  until: optional(time("only what changed before then")),
  host: optional(text("only sessions of this agent")),
  branch: optional(text("only sessions on this branch")),
  file: optional(text("only sessions that touched this file", { most: 5000 })),
};

/** Searches notes and everything else that has a finder, and returns one answer. */
export async function searchMemories(
  args: unknown,
  call: ToolContext,
  others: readonly Finder[],
): Promise<string> {
  const kinds = ["notes", ...others.map(({ kind }) => kind)];
  const input = checkTold(fields({ ...INPUT, in: optional(oneOf("what is searched", kinds)) }), args);
  const { query, mode, pageSize, page = 1, in: kind, project } = input;
  const filter = filterOf(input, call.now);
  const answers = await findAll(
    findersFor([notesFinder(mode, project === ALL_ALIKE), ...others], kind, filter, call),
    { query, filter, page, patienceMs: PATIENCE_MS },
    {
      call,
      pageSize,
      onFailure: (where, error) =>
        recordHealth(call.home.logs, failure(`search_memories: ${where}`, error, call.now, call.session.id)),
    },
  );
  return findingsText(answers);
}

type Given = Omit<FindFilter, "since" | "until"> & { readonly since?: string; readonly until?: string };

function filterOf({ folder, tags, host, project, branch, file, ...given }: Given, now: number): FindFilter {
  const since = given.since === undefined ? undefined : timeOf(given.since, now);
  const until = given.until === undefined ? undefined : timeOf(given.until, now);
  if (since !== undefined && until !== undefined && since >= until)
    throw new ContinuoError("invalid-argument", "since is not before until", {
      hint: "since is the earlier of both; 7d is a week ago",
    });
  return {
    folder,
    tags,
    host,
    project: project === ALL_ALIKE ? undefined : project,
    branch,
    file,
    since,
    until,
  };
}

/** The finder for notes. `mode` is only for notes: all others are searched by words and meaning. */
function notesFinder(mode: SearchMode | undefined, isAlike = false): Finder {
  return {
    kind: "notes",
    heading: "Notes:",
    nothing: "No note found.",
    pageSize: 10,
    filters: ["folder", "tags", "project", "since", "until"],
    isOn: ({ home, env }) => memorySettings(home, env)["enabled"] !== false,
    async find({ query, filter, page, pageSize }, call) {
      const { folder, tags, project: wanted, since, until } = filter;
      const isSeen = (wanted === undefined && !isAlike) || wanted === ".";
      const seen = isSeen ? seenFromPlace(call) : undefined;
      const project = wanted === "." ? (seen ?? NO_PROJECT) : wanted;
      const { hits, total, notices } = await withMemory(call, (memory) =>
        memory.search({
          query,
          page,
          pageSize,
          mode,
          folder,
          tags,
          project,
          seenFrom: seen,
          since,
          until,
        }),
      );
      return {
        hits: hits.map(({ title, uri, score, modified, snippet }) => ({
          title: quoteLine(title),
          where: [uri],
          score,
          time: modified,
          excerpt: quoteLine(snippet),
        })),
        total,
        notices: [...notices, ...preferenceNotice(hits, seen, `project: "${ALL_ALIKE}" to search all alike`)],
      };
    },
  };
}

/** For all kinds together; each may use an equal share. */
const MAX_TOKENS = 4_000;

/** The results, one kind after the other, for a model. */
export function findingsText(answers: readonly FinderAnswer[]): string {
  const share = Math.floor(MAX_TOKENS / Math.max(1, answers.length));
  return answers.map((answer) => kindText(answer, share)).join("\n\n");
}

function kindText(answer: FinderAnswer, tokens: number): string {
  const { finder } = answer;
  if ("failure" in answer) return `The ${finder.kind} could not be searched: ${answer.failure}`;
  const { hits, total, notices } = answer.findings;
  if (hits.length === 0) return [finder.nothing, ...notices].join("\n");
  const { page, pageSize } = answer.request;
  const shown = fitting(hits.map(hitText), tokens);
  const unshown = hits.length - shown.length;
  const rest = total - page * pageSize;
  return [
    finder.heading,
    ...shown,
    ...(unshown > 0 ? [`${unshown} of this page had no room: ask with a smaller pageSize`] : []),
    ...(rest > 0 ? [`${rest} more: page ${page + 1}`] : []),
    ...notices,
  ].join("\n");
}

function hitText({ title, where, score, excerpt, goOn }: Hit): string {
  return [
    `- ${title} (${where.join(", ")}) ${score.toFixed(2)}`,
    ...(excerpt === "" ? [] : [`  ${excerpt}`]),
    ...(goOn === undefined ? [] : [`  resume: ${goOn}`]),
  ].join("\n");
}

/** As many whole texts as fit, but always the first. */
function fitting(texts: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  const first = texts.findIndex((text, at) => {
    left -= countTokens(text) + 1;
    return left < 0 && at > 0;
  });
  return first < 0 ? texts : texts.slice(0, first);
}
