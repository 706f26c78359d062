import { clip, collapse } from "../../base/text.ts";
import type { Item } from "../../compose/section.ts";
import type { LastRequest } from "../../moments/types.ts";
import type { SessionMeta } from "./meta.ts";
import { formatContextForResume } from "./resume-text.ts";

/** Everything that a resumed or compacted session is told about itself. */
export interface CardFacts {
  readonly isResume: boolean;
  readonly meta: SessionMeta;
  fileExists(path: string): boolean;
  /** Files in use that are still there, the most likely to be needed first. */
  readonly files: readonly string[];
  /** Old names of files in use, with the names that they have now. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
  /** Paths that changed since the session was last idle, with by how much. */
  readonly changed: readonly (readonly [path: string, by: string])[];
  readonly uncommitted: readonly string[];
  readonly stopped: LastRequest | undefined;
}

const SHOWN = 10;
const MAX_REQUEST = 300;

/** One item an aspect, so that a short budget drops the least important aspect and not the card. */
export function cardItems(facts: CardFacts): Item[] {
  const { meta, stopped } = facts;
  const sets = formatContextForResume(meta.context ?? {}, facts.fileExists);
  const aspects: [key: string, name: string, text: string][] = [
    ["environment", "environment", meta.envHint === undefined ? "" : `Environment: ${meta.envHint}`],
    ["sets", "relevant context", sets],
    [
      "changed",
      "changed since last time",
      lines(
        "Changed since last time:",
        facts.changed.map(([path, by]) => `${path} (${by})`),
      ),
    ],
    ["intent", "last intent", meta.currentIntent === undefined ? "" : `Last intent: ${meta.currentIntent}`],
    ["stopped", "where it stopped", stopped === undefined ? "" : describeStop(stopped)],
    ["uncommitted", "uncommitted changes", lines("Uncommitted changes in files in use:", facts.uncommitted)],
    [
      "renamed",
      "renamed files",
      lines(
        "Renamed:",
        facts.renamed.map(([from, to]) => `${from} is now ${to}`),
      ),
    ],
    // After a compaction the working context is delivered as such.
    ["files", "files in use", facts.isResume ? lines("Files in use:", facts.files) : ""],
  ];
  // A resumed session has its history: it is told of itself only when something is pinned, changed or waits.
  const waits = stopped !== undefined && !stopped.answered;
  const isWorthIt =
    sets !== "" || meta.envHint !== undefined || meta.currentIntent !== undefined || facts.changed.length > 0;
  if (facts.isResume && !isWorthIt && !waits) return [];
  const said = aspects.filter(([, , text]) => text !== "");
  return said.map(([key, name, text], i) => ({
    key: `card/${key}`,
    name,
    text,
    reason: facts.isResume ? "the session was resumed" : "the session was compacted",
    priority: aspects.length - i,
  }));
}

function describeStop(stopped: LastRequest): string {
  const shown = clip(collapse(stopped.text), MAX_REQUEST);
  return `The user's last request was: "${shown}" (${stopped.answered ? "answered" : "not answered yet"})`;
}

function lines(title: string, all: readonly string[]): string {
  if (all.length === 0) return "";
  const more = all.length - SHOWN;
  return [
    title,
    ...all.slice(0, SHOWN).map((one) => `- ${one}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join("\n");
}
