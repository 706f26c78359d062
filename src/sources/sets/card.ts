import { clip, collapse } from "../../base/text.ts";
import type { Item } from "../../compose/section.ts";
import type { SessionMeta } from "../../moments/state/session-meta.ts";
import type { LastRequest } from "../../moments/types.ts";
import type { Context } from "./sets.ts";

/** The contents of the card for a resumed or compacted session. */
interface CardFacts {
  readonly isResume: boolean;
  readonly meta: SessionMeta;
  /** Whether there are sets, which have their own section. */
  readonly hasSets: boolean;
  /** Files in use that still exist and were not listed in this epoch, the most likely to be needed first. */
  readonly files: readonly string[];
  /** Old and current names of files in use. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
  /** Paths that changed since the session was last idle, and by how much. */
  readonly changed: readonly (readonly [path: string, by: string])[];
  readonly uncommitted: readonly string[];
  readonly stopped: LastRequest | undefined;
}

const SHOWN = 10;
const MAX_REQUEST = 300;

/**
 * One line per aspect, so that a small budget drops the least important aspects and not the whole card. The lines stay
 * in the model's context, so the section's title says at which time they were true.
 */
export function cardItems(facts: CardFacts): Item[] {
  const { meta, stopped, isResume } = facts;
  const aspects: [key: string, name: string, text: string][] = [
    ["environment", "environment", meta.envHint === undefined ? "" : `Environment: ${meta.envHint}`],
    [
      "changed",
      "changed since last time",
      listed(
        "Changed since it was last idle",
        facts.changed.map(([path, by]) => `${path} (${by})`),
      ),
    ],
    ["intent", "last intent", meta.currentIntent === undefined ? "" : `Last intent: ${meta.currentIntent}`],
    ["stopped", "where it stopped", stopped === undefined ? "" : describeStop(stopped)],
    ["uncommitted", "uncommitted changes", listed("Uncommitted", facts.uncommitted)],
    [
      "renamed",
      "renamed files",
      listed(
        "Renamed",
        facts.renamed.map(([from, to]) => `${from} is now ${to}`),
      ),
    ],
    // After a compaction they have their own section.
    ["files", "files in use", isResume ? listed("Files in use", facts.files) : ""],
  ];
  // A resumed session still has its history, so it gets a card only if something is pinned, changed or unanswered.
  const isUnanswered = stopped !== undefined && !stopped.answered;
  const isWorthIt =
    facts.hasSets ||
    meta.envHint !== undefined ||
    meta.currentIntent !== undefined ||
    facts.changed.length > 0;
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

function describeStop(stopped: LastRequest): string {
  const shown = clip(collapse(stopped.text), MAX_REQUEST);
  return `The user's last request: "${shown}" (${stopped.answered ? "answered" : "no answer by then"})`;
}

function listed(title: string, all: readonly string[]): string {
  return all.length === 0 ? "" : `${title}: ${inOneLine(all, SHOWN)}`;
}

function inOneLine(all: readonly string[], most: number): string {
  const more = all.length - most;
  return `${all.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
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

/** Other programs write this file too, and an item with line breaks could imitate a line of the card. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

export const MAX_PATHS = 20;
const MAX_PATH_LENGTH = 300;

/**
 * The files in use, edited before read, most recent first, for the host's summariser, which is asked to keep them. It
 * may not do so, so the snapshot after the compaction contains them too: `filesInLine`.
 */
export function workingContext(paths: readonly string[]): string {
  const more = paths.length - MAX_PATHS;
  return [
    "Continuo: Working context. Keep these paths in the summary.",
    "Current file paths in context:",
    ...shortPaths(paths.slice(0, MAX_PATHS)).map((path) => `  - ${path}`),
    ...(more > 0 ? [`  ... and ${more} more paths`] : []),
  ].join("\n");
}

export function filesInLine(paths: readonly string[]): string {
  return inOneLine(shortPaths(paths), MAX_PATHS);
}

function shortPaths(paths: readonly string[]): string[] {
  return paths.map((path) => path.replace(/[\r\n\t]/g, " ").slice(0, MAX_PATH_LENGTH));
}
