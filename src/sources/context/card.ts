import { clip, collapse } from "../../base/text.ts";
import type { Item } from "../../compose/section.ts";
import type { SessionMeta } from "../../moments/state/session-meta.ts";
import type { LastRequest } from "../../moments/types.ts";
import type { Context } from "./sets.ts";

/** What the card of a resumed or compacted session is made from. */
export interface CardFacts {
  readonly isResume: boolean;
  readonly meta: SessionMeta;
  fileExists(path: string): boolean;
  /** Files in use that still exist and were not listed in this epoch, the most likely to be needed first. */
  readonly files: readonly string[];
  /** Old and current names of files in use. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
  /** Paths that changed since the session was last idle, and how much. */
  readonly changed: readonly (readonly [path: string, by: string])[];
  readonly uncommitted: readonly string[];
  readonly stopped: LastRequest | undefined;
}

const SHOWN = 10;
const MAX_REQUEST = 300;

/** One item for each aspect, so that a small budget drops the least important aspects and not the whole card. */
export function cardItems(facts: CardFacts): Item[] {
  const { meta, stopped, isResume } = facts;
  // The text stays in front of the model: what may change later is dated by what happened.
  const event = isResume ? "resume" : "compaction";
  const sets = formatContextForResume(meta.context ?? {}, facts.fileExists);
  const aspects: [key: string, name: string, text: string][] = [
    ["environment", "environment", meta.envHint === undefined ? "" : `Environment: ${meta.envHint}`],
    ["sets", "relevant context", sets],
    [
      "changed",
      "changed since last time",
      lines(
        "Changed since the session was last idle:",
        facts.changed.map(([path, by]) => `${path} (${by})`),
      ),
    ],
    ["intent", "last intent", meta.currentIntent === undefined ? "" : `Last intent: ${meta.currentIntent}`],
    ["stopped", "where it stopped", stopped === undefined ? "" : describeStop(stopped, event)],
    ["uncommitted", "uncommitted changes", lines(`Uncommitted at this ${event}:`, facts.uncommitted)],
    [
      "renamed",
      "renamed files",
      lines(
        "Renamed:",
        facts.renamed.map(([from, to]) => `${from} is now ${to}`),
      ),
    ],
    // After a compaction the files are in the working context, which is delivered separately.
    ["files", "files in use", isResume ? lines("Files in use before this resume:", facts.files) : ""],
  ];
  // A resumed session still has its history, so it gets a card only if something is pinned, changed or unanswered.
  const isUnanswered = stopped !== undefined && !stopped.answered;
  const isWorthIt =
    sets !== "" || meta.envHint !== undefined || meta.currentIntent !== undefined || facts.changed.length > 0;
  if (isResume && !isWorthIt && !isUnanswered) return [];
  const shown = aspects.filter(([, , text]) => text !== "");
  return shown.map(([key, name, text], i) => ({
    key: `card/${key}`,
    name,
    text,
    reason: isResume ? "the session was resumed" : "the session was compacted",
    priority: aspects.length - i,
  }));
}

function describeStop(stopped: LastRequest, event: string): string {
  const shown = clip(collapse(stopped.text), MAX_REQUEST);
  return `The user's last request before this ${event}: "${shown}" (${stopped.answered ? "answered" : "no answer by then"})`;
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

/** These sets have their own format; every other set is one line. */
const OWN_FORM = ["files", "applet"];

/** The sets as text for a resumed session. The order is fixed, so that the same sets give the same bytes. */
export function formatContextForResume(
  context: Record<string, string[]>,
  fileExists: (path: string) => boolean,
): string {
  const others = Object.keys(context)
    .filter((name) => !OWN_FORM.includes(name))
    .sort()
    .map((name) => formatOther(name, listOf(context, name)));
  return [
    formatFiles(listOf(context, "files"), fileExists),
    formatApplet(listOf(context, "applet")),
    ...others,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function formatFiles(files: string[], fileExists: (path: string) => boolean): string {
  const existing = files.filter((path) => fileExists(path));
  const missing = files.length - existing.length;
  return [
    ...(existing.length === 0 ? [] : ["Relevant files:", ...existing.map((path) => `- ${oneLine(path)}`)]),
    ...(missing === 0 ? [] : [`(${missing} files not found)`]),
  ].join("\n");
}

function formatApplet(applet: string[]): string {
  const [slug, ...parameters] = applet.map(oneLine);
  if (slug === undefined) return "";
  return `Last applet: ${slug}${parameters.length === 0 ? "" : ` (${parameters.join(", ")})`}`;
}

function formatOther(name: string, items: string[]): string {
  return items.length === 0 ? "" : `${oneLine(name)}: ${items.map(oneLine).join(", ")}`;
}

/** Another program may have written a value of any type. */
function listOf(context: Context, name: string): string[] {
  const value: unknown = Object.hasOwn(context, name) ? context[name] : undefined;
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Other programs write this file too, and an item with line breaks could pose as a line of the card. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

export const MAX_PATHS = 20;
const MAX_PATH_LENGTH = 300;

/**
 * The files in use, edited before read, most recent first. The host's summariser is asked to keep them. It may not, so the
 * snapshot after the compaction contains them too.
 */
export function workingContext(paths: readonly string[], title: string): string {
  if (paths.length === 0) return "";
  const more = paths.length - MAX_PATHS;
  return [
    title,
    ...paths
      .slice(0, MAX_PATHS)
      .map((path) => `  - ${path.replace(/[\r\n\t]/g, " ").slice(0, MAX_PATH_LENGTH)}`),
    ...(more > 0 ? [`  ... and ${more} more paths`] : []),
  ].join("\n");
}
