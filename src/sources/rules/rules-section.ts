import { count } from "../../base/when.ts";
import { itemTokens } from "../../compose/budget.ts";
import type { Item, Section } from "../../compose/section.ts";
import { priorityOf } from "../order.ts";
import type { CatalogRule } from "./catalog/catalog-rule.ts";

/** Bytes of long rules that are read from their files at one moment: far more than any budget. */
const MAX_READ = 2 * 1024 * 1024;

/** The rules whose texts are read now: all that are in memory, and the most important of the others. */
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

/** The section of some rules, to find out which would fit into a budget. Their cost is known without their texts. */
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

/** What a session pays for the rule: its text and the tag with its name, as the ledger counts it. */
export function tokensInSession(rule: CatalogRule): number {
  if (rule.isEmpty) return 0;
  return itemTokens(section([]), itemOf(rule, ""), "") + rule.tokens;
}

export function itemOf(rule: CatalogRule, because: string, mark?: string): Item {
  return {
    key: rule.file.key,
    name: rule.name,
    noun: "rule",
    // A long text is read only if needed: a rule that was delivered before is recognised by its hash.
    get text() {
      return rule.body;
    },
    hash: rule.hash,
    tokens: rule.tokens,
    reason: `${because}, from ${rule.file.path}`,
    priority: rule.priority,
    isUsers: rule.file.scope === "global",
    ...(mark === undefined ? {} : { mark }),
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
