import { compose } from "../../compose/compose.ts";
import type { Room } from "../../compose/room.ts";
import { budgetFor } from "../../moments/delivery/compose-snapshot.ts";
import type { Config } from "../../store/config.ts";
import type { CatalogRule } from "./catalog/catalog-rule.ts";
import { rulesSection } from "./rules-section.ts";

/** A rule that would not be delivered although it applies or could apply. */
export interface LeftOut {
  readonly rule: CatalogRule;
  readonly tokens: number;
  readonly message: string;
  readonly hint: string;
}

/**
 * Rules that never fit, even alone, and active rules that do not fit beside the others. `room` is a host's; without it,
 * only the token limits count.
 */
export function leftOut(
  rules: readonly CatalogRule[],
  isActive: (rule: CatalogRule) => boolean,
  config: Config,
  room?: Room,
): LeftOut[] {
  const [first] = rules.filter((rule) => !rule.isEmpty);
  if (config.tokenLimit === 0 && first !== undefined)
    return [
      {
        rule: first,
        tokens: first.tokens,
        message: "no rule is delivered: tokenLimit is 0, which turns Continuo off",
        hint: "remove tokenLimit from config.json, or unset TOKEN_LIMIT",
      },
    ];
  const limit = `the limit for rules is ${config.rulesLimit} tokens (${limitName(config)})`;
  const droppedFrom = (some: readonly CatalogRule[], isRead: boolean) => {
    const budget = budgetFor(config, config.snapshotAim, isRead ? room : undefined);
    const { dropped } = compose("snapshot", [rulesSection(some, isRead)], budget);
    return new Map(dropped.map((item) => [item.key, item.tokens]));
  };
  const active = rules.filter(isActive);
  const crowded = droppedFrom(active, false);
  // Only rules within the token limit are read, because the others may have gigabytes.
  const read = active.filter((rule) => !crowded.has(rule.file.key));
  if (room !== undefined) for (const [key, tokens] of droppedFrom(read, true)) crowded.set(key, tokens);
  return rules.flatMap((rule): LeftOut[] => {
    // Skips rules far below the limit: with thousands of rules, composing each one alone would take too long.
    const alone =
      rule.tokens * 2 < config.rulesLimit ? undefined : droppedFrom([rule], false).get(rule.file.key);
    if (alone !== undefined)
      return [
        {
          rule,
          tokens: alone,
          message: `${rule.name} is never delivered: it needs ${alone} tokens with its heading, and ${limit}`,
          hint: "shorten it, split it into several rules, or raise rulesLimit in config.json",
        },
      ];
    const tokens = crowded.get(rule.file.key);
    if (tokens === undefined) return [];
    return [
      {
        rule,
        tokens,
        message: `${rule.name} (${tokens} tokens) does not fit beside the other active rules: ${limit}`,
        hint: "raise its priority, give other rules a condition, shorten rules, or raise rulesLimit in config.json",
      },
    ];
  });
}

/** The name of the setting that imposes the limit. */
function limitName({ rulesLimit, tokenLimit }: Config): string {
  return rulesLimit === tokenLimit ? "tokenLimit" : "rulesLimit";
}
