import { commandWord } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, optional, text } from "../../../moments/actions/fields.ts";
import type { Page } from "../../../moments/actions/found.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import type { Found, StepBlock } from "../../../moments/ports/view.ts";
import { withSessions } from "../access.ts";
import { explainNoMatch } from "../answers/recall.ts";
import { sessionsSettings } from "../settings.ts";
import { FILTERS, filterOf, type GivenFilter, limit, MOST } from "./fields.ts";
import { foundLines, foundToJson, type ListedHit, listedHit, speakerOf } from "./found.ts";
import { type SyncTime, syncFirst, withFresh } from "./fresh.ts";
import { agentNames, namesFor, noSessions, nothingFound, showing } from "./shown.ts";

export const search = action({
  name: "sessions search",
  about: "search sessions by words and meaning",
  guide:
    "Shows the best passage of each session. Copies, such as forks that match in the same words, are shown once. Quotes around several words are optional. `continuo search` searches notes too; this one has more filters.",
  examples: [
    ["continuo sessions search retry failed webhooks", "search all sessions"],
    ["continuo sessions search flaky test --since 30d", "search the last 30 days"],
  ],
  effect: "reads",
  input: fields({
    query: text("words to search for", { typed: "rest", most: MOST }),
    ...FILTERS,
    limit: limit("show at most this many", 100, 10),
    weaker: optional(flag("also show those that match much less well than the best one")),
  }),
  run({ query, limit: most = 10, weaker: isWithWeaker = false, ...given }, place) {
    const filter = filterOf(given, place);
    return withFresh(place, async (library) => {
      const asked = { ...filter, limit: most, weaker: isWithWeaker };
      const { hits, total, weaker, notices } = library.search(query, asked);
      for (const notice of notices) place.tell?.(`continuo: ${notice}`);
      const filters = FILTER_NAMES.filter((name) => given[name] !== undefined);
      const isNothing = hits.length === 0;
      return {
        query,
        total,
        weaker,
        notices,
        hits: hits.map((hit) => listedHit(hit, library)),
        names: await namesFor(place, library),
        nothing: isNothing ? await nothingFound(place, library, filter, "No matching sessions.") : [],
        isEmpty: library.size().sessions === 0,
        filters,
        elsewhere: isNothing && filters.length > 0 ? library.search(query, { limit: 1 }).total : 0,
      };
    });
  },
  json: ({ query, total, weaker, notices, hits }) => ({
    query,
    total,
    weaker,
    notices,
    results: hits.map(foundToJson),
  }),
  view(found, shown) {
    const { hits, total, weaker, names, nothing, isEmpty } = found;
    const [first] = hits;
    if (first === undefined) return [...nothing, ...(isEmpty ? [] : [elsewhere(found)])];
    const more = [
      ...showing(hits.length, total),
      ...(weaker > 0 ? [`${count(weaker, "weaker match", "weaker matches")} left out. Use --weaker.`] : []),
    ];
    return [
      ...hits.flatMap((hit, at) => [...(at === 0 ? [] : [""]), ...foundLines(hit, names, shown)]),
      ...(more.length > 0 ? ["", ...more] : []),
      { next: [[`continuo sessions show ${names.short(first.session.id)}`, "Show the first one"]] },
    ];
  },
});

const FILTER_NAMES = ["host", "project", "branch", "file", "since", "until"] as const;

/** What else to try if nothing was found. */
function elsewhere(found: {
  readonly query: string;
  readonly elsewhere: number;
  readonly filters: readonly string[];
}): StepBlock {
  const words = found.query.split(/\s+/).map(commandWord).join(" ");
  const many = found.elsewhere === 1 ? "1 session matches" : `${found.elsewhere} sessions match`;
  if (found.elsewhere === 0)
    return {
      step: `continuo search ${words}`,
      whatFor: "Try other or fewer words, or search your notes too",
    };
  const without = found.filters.map((name) => `--${name}`).join(", ");
  return { step: `continuo sessions search ${words}`, whatFor: `Without ${without} ${many}` };
}

/** Shorter, because the user may be looking for notes; `continuo sessions index` takes all the time it needs. */
const BESIDE_NOTES: SyncTime = { emptyMs: 5000, usualMs: 1000 };

export interface FoundSessions {
  readonly total: number;
  readonly notices: readonly string[];
  readonly results: readonly object[];
}

/** The matching past sessions of all agents, for a search that may include other kinds too. */
export function findSessions(
  {
    query,
    page,
    pageSize,
    isAlone,
    ...given
  }: GivenFilter & Page & { readonly query: string; readonly isAlone: boolean },
  place: Place,
): Promise<Found<FoundSessions>> {
  const filter = filterOf(given, place);
  return withSessions(place, 0, async (library) => {
    // If the user turned indexing off, a search must not index. It uses the index as it is.
    if (sessionsSettings(place.home, place.env)["index"] !== false)
      await syncFirst(place, library, isAlone ? undefined : BESIDE_NOTES);
    const asked = { ...filter, limit: pageSize, skip: (page - 1) * pageSize };
    const { hits, total, notices } = library.search(query, asked);
    for (const notice of notices) place.tell?.(`continuo: ${notice}`);
    const isEmpty = total === 0 && library.size().sessions === 0;
    const found = hits.map((hit) => listedHit(hit, library));
    const [first] = found;
    const names = first && (await namesFor(place, library));
    return {
      title: "Past sessions",
      total,
      found:
        names === undefined
          ? []
          : found.map((hit) => (shown) => foundLines(hit, names, shown).map((line) => `  ${line}`)),
      remarks: total > 0 || isEmpty ? [] : explainNoMatch(library, filter),
      nothing: isEmpty
        ? isAlone
          ? noSessions(await agentNames(place))
          : "There are no past sessions on this machine yet."
        : "No matching sessions.",
      isEmpty,
      step: first &&
        names && [`continuo sessions show ${names.short(first.session.id)}`, "Show the first session"],
      data: { total, notices, results: found.map(hitToJson) },
    };
  });
}

/** As `continuo sessions search` prints it, with the fields that hits of every kind have. */
function hitToJson(hit: ListedHit) {
  const { id, host, label, branch, name, modified } = hit.session;
  const day = new Date(modified).toISOString().slice(0, 10);
  return {
    ...foundToJson(hit),
    title: name,
    where: [id, host, label, branch, day].filter((one) => one !== undefined),
    excerpt: hit.best === undefined ? "" : `${speakerOf(hit.best)}: ${hit.best.snippet}`,
  };
}
