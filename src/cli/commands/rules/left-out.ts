import { compose } from "../../../compose/compose.ts";
import { openingRoom } from "../../../hosts/hooks.ts";
import { budgetFor } from "../../../moments/delivery/deliver.ts";
import type { CatalogRule } from "../../../sources/rules/catalog/catalog-rule.ts";
import { rulesSection } from "../../../sources/rules/source.ts";
import type { Config } from "../../../store/config.ts";

/** A rule that a session would not be given, though it applies or could. */
export interface LeftOut {
  readonly rule: CatalogRule;
  readonly tokens: number;
  readonly message: string;
  readonly hint: string;
}

/**
 * What can never arrive, because it has no room even alone, and what of the active rules has none beside the others.
 * `host` is the one whose room counts; without it, only the limits in tokens do.
 */
export function leftOut(
  rules: readonly CatalogRule[],
  isActive: (rule: CatalogRule) => boolean,
  config: Config,
  host: string | undefined,
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
  const room = host === undefined ? undefined : openingRoom(host);
  const limit = `the limit for rules is ${config.rulesLimit} tokens (${limitName(config)})`;
  const droppedFrom = (some: readonly CatalogRule[], isRead: boolean) => {
    const budget = budgetFor(config, config.snapshotAim, isRead ? room : undefined);
    const { dropped } = compose("snapshot", [rulesSection(some, isRead)], budget);
    return new Map(dropped.map((item) => [item.key, item.tokens]));
  };
  const active = rules.filter(isActive);
  const crowded = droppedFrom(active, false);
  // Only texts that the limit in tokens lets through are read: there may be gigabytes of the others.
  const read = active.filter((rule) => !crowded.has(rule.file.key));
  if (room !== undefined) for (const [key, tokens] of droppedFrom(read, true)) crowded.set(key, tokens);
  return rules.flatMap((rule): LeftOut[] => {
    // Far below every limit: composing each rule alone would take time with thousands of them.
    const alone =
      rule.tokens * 2 < config.rulesLimit ? undefined : droppedFrom([rule], false).get(rule.file.key);
    if (alone !== undefined)
      return [
        {
          rule,
          tokens: alone,
          message: `${rule.name} is never delivered: it costs ${alone} tokens with its frame, and ${limit}`,
          hint: "shorten it, split it into several rules, or raise rulesLimit in config.json",
        },
      ];
    const tokens = crowded.get(rule.file.key);
    if (tokens === undefined) return [];
    return [
      {
        rule,
        tokens,
        message: `${rule.name} (${tokens} tokens) has no room beside the other rules that apply: ${limit}`,
        hint: "give it a higher priority or some rules a condition, shorten them, or raise rulesLimit in config.json",
      },
    ];
  });
}

/** Which setting to look at. */
function limitName({ rulesLimit, tokenLimit }: Config): string {
  return rulesLimit === tokenLimit ? "tokenLimit" : "rulesLimit";
}
