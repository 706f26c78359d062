import { oneLine } from "../../base/for-terminal.ts";
import { count } from "../../base/when.ts";
import type { LedgerItem } from "../state/ledger.ts";
import type { Delivery } from "./deliveries.ts";

// The ledger's contents in words.

/** When it was delivered: at the start, at a prompt, with the result of a tool. */
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
 * `2 rules, note Refunds, last session`: a single item by name, several by number. If that does not fit, all by number:
 * a long name must not hide that there is more.
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
  for (const item of items.filter((one) => !isDetail(one))) {
    const group = groupOf(item);
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  return [...groups].map(([group, items]) => describeGroup(group, items, areNamed)).join(", ") || "nothing";
}

/** A line that says more of a session, which is counted already. */
function isDetail({ source, key }: NamedItem): boolean {
  return source === "sessions" && /^left-off\/\d+\//.test(key);
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
  // Its title is not a name, but says which one it is.
  if (only.key.startsWith("left-off/")) return only.title;
  // A learning has no name.
  return areNamed && group !== "learning" ? `${group} ${only.title}` : count(1, group);
}

/** What was done about a breach. `isTold`: the agent was reminded, according to the ledger. */
export function doneAbout({
  reaction,
  isTold,
}: {
  readonly reaction: string;
  readonly isTold: boolean;
}): string {
  if (reaction === "remind" && !isTold)
    return "the agent was not told: its next prompt would bring the reminder";
  return DONE[reaction] ?? oneLine(reaction);
}

const DONE: Readonly<Record<string, string>> = {
  remind: "the agent was reminded",
  deny: "refused",
  ask: "you were asked before the call",
  report: "recorded",
  question: "asked in continuo review",
  none: "told before",
};

/** A project's id is its folder, or git's folder in it. */
export function projectName(project: unknown): string {
  const parts = typeof project === "string" ? project.split(/[\\/]/) : [];
  return parts.filter((part) => part !== "" && part !== ".git").at(-1) ?? "";
}

/** The output for programs. `name`: the session's. */
export function deliveryToJson(delivery: Delivery, name: string | undefined): object {
  const { at, host, session, project, epoch } = delivery;
  const common = { at, host, session, name: name ?? null, project, epoch };
  if (delivery.kind === "replayed") return { ...common, kind: "replayed" };
  const { what, moment, tool, tokens, items } = delivery;
  const missing = delivery.isMissing === true ? { isMissing: true } : {};
  return { ...common, kind: what, moment: moment ?? null, tool: tool ?? null, tokens, items, ...missing };
}
