import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { ledgerFromEnd } from "../../../moments/state/follow-ledger.ts";
import type { LedgerItem, LedgerLine } from "../../../moments/state/ledger.ts";
import type { Home } from "../../../store/home.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { clipTo, padTo, widthOf } from "../../terminal/width.ts";
import type { Names } from "./log.ts";

/** A line of the ledger that says what a session was given. */
export type Delivery = Extract<LedgerLine, { readonly kind: "delivered" | "replayed" }> & {
  /** The agent's transcript does not show it. */
  readonly isMissing?: true;
};

/** Whether a delivery is shown. */
export type Wanted = (delivery: Delivery) => boolean;

/** A ledger of gigabytes without a match is not read to its beginning: this many lines take a few seconds. */
const MAX_LINES = 200_000;

/** The newest deliveries, oldest first. */
export function newestDeliveries(home: Home, most: number, isWanted: Wanted): Delivery[] {
  const found: Delivery[] = [];
  const missing = new Set<string>();
  let read = 0;
  for (const line of ledgerFromEnd(home)) {
    if (found.length >= most || ++read > MAX_LINES) break;
    const keyOf = (text: string) => `${line.host}\n${line.session}\n${text}`;
    if (line.kind === "looked") for (const text of line.missing ?? []) missing.add(keyOf(text));
    if (!isDelivery(line)) continue;
    // What was looked for is the newest of this text before.
    const isMissing = line.kind === "delivered" && missing.delete(keyOf(line.fingerprint));
    const delivery: Delivery = isMissing ? { ...line, isMissing } : line;
    if (isWanted(delivery)) found.push(delivery);
  }
  return found.reverse();
}

/** The ledger may be damaged or written by another version: only what is shown here is checked. */
export function isDelivery(line: LedgerLine): line is Delivery {
  if (typeof line.host !== "string" || Number.isNaN(Date.parse(line.at))) return false;
  if (line.kind === "replayed") return true;
  if (line.kind !== "delivered" || !Number.isSafeInteger(line.tokens)) return false;
  return Array.isArray(line.items) && line.items.every(isItem);
}

function isItem(item: unknown): item is LedgerItem {
  const { source, key, title } = (item ?? {}) as Partial<LedgerItem>;
  return typeof source === "string" && typeof key === "string" && (title ?? "") === String(title ?? "");
}

/** When it was given: at the start, at a prompt, with the result of a tool. */
export function occasionOf(delivery: Delivery): string {
  if (delivery.isMissing === true) return "did not reach the agent";
  if (delivery.kind === "replayed") return "resume";
  const { moment, tool, what } = delivery;
  if (typeof tool === "string" && tool !== "") return tool;
  if (moment === "compacted") return "after compaction";
  return typeof moment === "string" ? moment : what === "snapshot" ? "start" : "prompt";
}

/** What one item of each source is called. */
const THINGS: Readonly<Record<string, string>> = {
  rules: "rule",
  memory: "note",
  seed: "learning",
  sessions: "past session",
};

/**
 * `2 rules, note Refunds, last session`: one thing by its name, several by their number. If that does not fit, all by their
 * number: a long name must not hide that there is more.
 */
export function contentsOf(delivery: Delivery, fits: (text: string) => boolean): string {
  if (delivery.kind === "replayed") return "the same text again";
  const { items } = delivery;
  const named = itemsInWords(items);
  return items.length < 2 || fits(named) ? named : itemsInWords(items, false);
}

type NamedItem = Pick<LedgerItem, "source" | "key" | "title">;

export function itemsInWords(items: readonly NamedItem[], areNamed = true): string {
  const groups = new Map<string, NamedItem[]>();
  for (const item of items) {
    const group = groupOf(item);
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  return [...groups].map(([group, items]) => describeGroup(group, items, areNamed)).join(", ") || "nothing";
}

function groupOf({ source, key }: NamedItem): string {
  if (source === "rules" && key.startsWith("broken/")) return "broken rule";
  if (source === "context") return "session context";
  if (source === "seed" && key === "identity") return "identity";
  return THINGS[source] ?? source;
}

function describeGroup(group: string, items: readonly NamedItem[], areNamed: boolean): string {
  if (group === "session context" || group === "identity") return group;
  const [only, ...others] = items;
  if (others.length > 0 || !only?.title) return count(items.length, group);
  // Its title is no name: it says which one it is.
  if (only.key.startsWith("left-off/")) return only.title;
  // A learning has no name of its own.
  return areNamed && group !== "learning" ? `${group} ${only.title}` : count(1, group);
}

interface Look {
  readonly when: string;
  readonly screen: Pick<Screen, "width" | "isFitted">;
  readonly paint: Paint;
}

const WHEN = 11;
const AGENT = 11;
const PROJECT = 12;
const INDENT = "  ";
/** Below this width, what was given has a line of its own. */
const WIDE = 90;
/** Without room for this much of a session's name it is left out. */
const LEAST_NAME = 12;

/**
 * `5 min ago   Claude Code  shop  start: 2 rules, last session (162 tokens)  Retry failed webhooks`. A narrow screen gets two
 * lines.
 */
export function lineFor(delivery: Delivery, names: Names, { when, screen, paint }: Look): string {
  // Nothing is cut in a file or a pipe.
  const width = screen.isFitted ? screen.width : Number.POSITIVE_INFINITY;
  const isWide = width >= WIDE;
  const head = [
    paint("dim", padTo(clipTo(when, WHEN), WHEN)),
    padTo(clipTo(oneLine(names.agent(delivery.host)), AGENT), AGENT),
    paint("bold", padTo(clipTo(oneLine(projectOf(delivery.project)), PROJECT), PROJECT)),
  ].join("  ");
  const used = isWide ? widthOf(head) + 2 : INDENT.length;
  const tokens = delivery.kind === "replayed" ? "" : ` (${count(delivery.tokens, "token")})`;
  const room = width - used - tokens.length;
  const inWords = (contents: string) => oneLine(`${occasionOf(delivery)}: ${contents}`);
  const contents = contentsOf(delivery, (text) => widthOf(inWords(text)) <= room);
  const what = clipTo(inWords(contents), room);
  const name = oneLine(names.session(delivery) ?? delivery.session);
  const given = `${what}${paint("dim", tokens)}`;
  if (!isWide) return `${head}  ${paint("dim", clipTo(name, width - widthOf(head) - 2))}\n${INDENT}${given}`;
  const left = room - widthOf(what) - 2;
  return `${head}  ${given}${left < LEAST_NAME ? "" : `  ${paint("dim", clipTo(name, left))}`}`;
}

export function toJson(delivery: Delivery, names: Names): object {
  const { at, host, session, project, epoch } = delivery;
  const common = { at, host, session, name: names.session(delivery) ?? null, project, epoch };
  if (delivery.kind === "replayed") return { ...common, kind: "replayed" };
  const { what, moment, tool, tokens, items } = delivery;
  const missing = delivery.isMissing === true ? { isMissing: true } : {};
  return { ...common, kind: what, moment: moment ?? null, tool: tool ?? null, tokens, items, ...missing };
}

/** A project's id is its folder, or git's folder in it. */
function projectOf(project: unknown): string {
  const parts = typeof project === "string" ? project.split(/[\\/]/) : [];
  return parts.filter((part) => part !== "" && part !== ".git").at(-1) ?? "";
}
