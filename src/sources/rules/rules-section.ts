import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { systemCode } from "../../base/errors.ts";
import { count } from "../../base/when.ts";
import { itemTokens } from "../../compose/budget.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Moment } from "../../moments/types.ts";
import { priorityOf } from "../order.ts";
import type { Catalog, CatalogRule } from "./catalog/catalog-rule.ts";
import { isOnRequest } from "./catalog/digest.ts";
import type { RuleFolder } from "./files/folders.ts";

/** How many bytes of long rules are read from their files at one moment: far more than any budget. */
const MAX_READ = 2 * 1024 * 1024;

/** The rules whose texts are read now: those in memory, and the most important of the others. */
export function splitByReadLimit(rules: readonly CatalogRule[]): {
  readable: Set<CatalogRule>;
  out: CatalogRule[];
} {
  const readable = new Set(rules.filter((rule) => rule.isAtHand));
  const others = rules.filter((rule) => !rule.isAtHand);
  const out: CatalogRule[] = [];
  let left = MAX_READ;
  const rank = (rule: CatalogRule) => (rule.file.scope === "global" ? 0 : 1);
  for (const rule of others.sort(
    (a, b) => rank(a) - rank(b) || b.priority - a.priority || a.file.size - b.file.size,
  )) {
    left -= rule.file.size;
    if (left >= 0) readable.add(rule);
    else out.push(rule);
  }
  return { readable, out };
}

/**
 * The section of some rules, to determine which would fit into a budget. Their token counts are known without their
 * texts.
 */
export function rulesSection(rules: readonly CatalogRule[], isRead: boolean): Section {
  return section(
    rules
      .filter((rule) => !rule.isEmpty)
      .map((rule) => {
        const { file, name, tokens, priority } = rule;
        const isUsers = file.scope === "global";
        return { key: file.key, name, text: isRead ? rule.body : "", tokens, reason: "", priority, isUsers };
      }),
  );
}

/** The rule's cost in a session: its text and the tag with its name, as the ledger counts it. */
export function tokensInSession(rule: CatalogRule): number {
  if (rule.isEmpty) return 0;
  return itemTokens(section([]), itemOf(rule, ""), "") + rule.tokens;
}

export function itemOf(rule: CatalogRule, because: string, mark?: string): Item {
  return {
    key: rule.file.key,
    name: rule.name,
    noun: "rule",
    // A long text is read only if needed: a rule that was already delivered is recognised by its hash.
    get text() {
      return rule.body;
    },
    hash: rule.hash,
    tokens: rule.tokens,
    reason: `${because}, from ${rule.file.path}`,
    priority: rule.priority,
    isUsers: rule.file.scope === "global",
    mark,
  };
}

export function section(items: readonly Item[]): Section {
  return {
    source: "rules",
    title: "Rules",
    nature: "instructions",
    priority: priorityOf("rules"),
    essential: true,
    items,
    summary: (delivered) => count(delivered, "rule"),
  };
}

const MAX_LINES = 20;

/** One line for each rule that the model may read when it fits its task. Listed when an epoch begins. */
export function onRequestSection(rules: readonly CatalogRule[], moment: Moment): Section[] {
  const named = rules
    .filter(isOnRequest)
    .sort((a, b) => b.priority - a.priority || (a.file.key < b.file.key ? -1 : 1));
  const more = named.length - MAX_LINES;
  // A subagent has a single task, for which a long list is not worth its cost.
  if (named.length === 0 || (more > 0 && moment.session.parent !== undefined)) return [];
  const lines = named.slice(0, MAX_LINES).map((rule, i) => line(rule, i, moment.project.root));
  const rest: Item = {
    key: "on-request",
    name: "more rules on request",
    text: `and ${more} more: "continuo rules list" names them`,
    reason: `only ${MAX_LINES} rules on request are named`,
    priority: -MAX_LINES,
  };
  return [
    {
      source: "rules",
      title: "Rules on request",
      nature: "on request",
      priority: priorityOf("rules on request"),
      essential: false,
      layout: "lines",
      items: more > 0 ? [...lines, rest] : lines,
      summary: (delivered) => `${count(delivered > MAX_LINES ? named.length : delivered, "rule")} on request`,
    },
  ];
}

function line({ name, when, file }: CatalogRule, place: number, root: string): Item {
  const below = relative(root, file.path).replaceAll("\\", "/");
  const path = file.scope === "global" || below.startsWith("..") ? file.path : below;
  const description = when.kind === "manual" ? (when.description ?? "") : "";
  return {
    key: `on-request/${file.key}`,
    name,
    // The path usually contains the rule's name.
    text: path.endsWith(name) ? `${path}: ${description}` : `${name} (${path}): ${description}`,
    reason: `on request: ${description}`,
    priority: -place,
  };
}

const NO_LONGER = "This rule no longer holds.";

/**
 * Items saying that a rule no longer holds, for rules whose text the model still has although the file was removed,
 * emptied or made invalid, or the user muted it. The engine delivers each once. A rule whose condition merely no longer
 * applies is not included.
 */
export function withdrawnItems(
  delivered: ReadonlySet<string>,
  { rules, rejects, repeated, pending }: Catalog,
  folders: readonly RuleFolder[],
  names: Readonly<Record<string, string>>,
  isMuted: (key: string) => boolean = () => false,
): Item[] {
  const used = [...rules.filter((rule) => !rule.isEmpty), ...repeated].map(({ file }) => file.key);
  const holding = new Set([...used, ...pending.map((file) => file.key)]);
  const unusable = new Set([
    ...rejects.flatMap(({ file }) => file?.key ?? []),
    ...rules.filter((rule) => rule.isEmpty).map(({ file }) => file.key),
  ]);
  return [...delivered].flatMap((key): Item[] => {
    const muted = isMuted(key);
    if (holding.has(key) && !muted) return [];
    const folder = folders.find(({ label }) => key.startsWith(`${label}/`));
    if (folder === undefined) return [];
    const name = key.slice(folder.label.length + 1);
    // The catalog of a large set contains only a few of its rules, and a folder may be temporarily unreadable.
    if (!muted && !unusable.has(key) && !isMissing(join(folder.path, name))) return [];
    const reason = muted ? "the user muted it" : "its file was removed or cannot be used";
    const shown = { name: names[key] ?? name, noun: "withdrawn rule" };
    return [{ key, ...shown, text: NO_LONGER, reason, priority: 0, withdraws: true }];
  });
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
