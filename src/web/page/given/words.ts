import type { BrokenRule, CacheEffect, GivenEntry, MeasuredCache } from "../../api/given.ts";
import { count, number } from "../core/format.ts";

/** What happened, in a few words. */
export function titleOf(entry: GivenEntry, compactions: ReadonlyMap<number, number>): string {
  const { kind, moment, tool, guard } = entry;
  if (entry.isMissing) return "Did not reach the agent";
  switch (kind) {
    case "snapshot":
      if (entry.cache === "new-epoch") return "Restored after the compaction";
      if (entry.cache === "appended") return "Next part";
      return moment === "resume" ? "Added at a resume" : "Added at the start";
    case "addition":
      if (tool !== undefined) return `Added at ${tool}`;
      return moment === "compacted" ? "Added after the compaction" : "Added at a prompt";
    case "replayed":
      return "Replayed at a resume";
    case "handover":
      return "Instructions for the summary";
    case "compaction":
      return `Compaction ${compactions.get(entry.id) ?? ""}`.trim();
    case "guard":
      return `Guard: ${GUARDS[guard?.action ?? ""] ?? guard?.action ?? ""} ${tool ?? ""}`.trim();
    case "broken":
      return `${REACTIONS[entry.broken?.reaction ?? "report"][0]}: ${entry.broken?.name ?? ""}`;
    case "ended":
      return "Session ended";
  }
}

/** What happened after a rule was broken: as a title, and as a sentence. */
export const REACTIONS: Readonly<Record<BrokenRule["reaction"], readonly [title: string, long: string]>> = {
  deny: ["Refused", "The call, or the stop, was refused, and the agent was told why."],
  ask: ["Asked you", "You were asked before the call was made."],
  remind: ["Rule broken", "The agent was told, in one line at the end of the conversation."],
  report: ["Rule broken", "It was only recorded, as the rule asks."],
  question: ["Rule broken again", "The agent was not reminded again. Decide what to do under Suggestions."],
  none: ["Rule broken", "It was only recorded: the agent had been told before."],
};

/** The outcome, as far as the ledger shows. */
export function outcomeOf({ reaction, isUntold }: BrokenRule): string {
  return isUntold
    ? "The agent was not told: its next prompt would bring the reminder."
    : REACTIONS[reaction][1];
}

const GUARDS: Readonly<Record<string, string>> = { deny: "denied", ask: "asked about", warn: "warned about" };

export const CACHE_WORDS: Readonly<Record<CacheEffect, readonly [short: string, long: string]>> = {
  "new-prefix": ["new cache", "The session began here: the provider's cache begins with this text."],
  appended: [
    "cache kept",
    "Added at the end: everything before it is unchanged and still comes from the cache.",
  ],
  replayed: ["cache kept", "The same text as before: it still comes from the cache."],
  "new-epoch": [
    "new cache",
    "The agent compacted the conversation, and a new cache begins. Continuo's text is in it from its beginning.",
  ],
  none: ["not in the conversation", "This did not go into the conversation, so the cache is not affected."],
};

/** "93.4%"; never rounded up to 100%. */
export function share({ input, cached }: Pick<MeasuredCache, "input" | "cached">): string {
  const percent = input === 0 ? 0 : (100 * cached) / input;
  return `${number(Math.floor(percent * 10) / 10)}%`;
}

export function cacheText(cache: MeasuredCache): string {
  const part = cache.isPartial === true ? ", read in part" : "";
  return `${number(cache.cached)} of ${number(cache.input)} input tokens in ${count(cache.requests, "request")}${part}`;
}

/** What users call a source whose name in the code differs from the word on the page; the same words as in the CLI. */
const SOURCE_WORDS: Readonly<Record<string, string>> = { memory: "notes", seed: "profile", context: "sets" };

export function sourceWord(source: string): string {
  return SOURCE_WORDS[source] ?? source;
}
