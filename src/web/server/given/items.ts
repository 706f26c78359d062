import { isAbsolute } from "node:path";
import type { LedgerItem } from "../../../moments/state/ledger.ts";
import type { GivenItem } from "../../api/given.ts";

/** An item as the page shows it, with the file or note that it comes from. */
export function givenItem({ source, key, title, reason, tokens, withdraws }: LedgerItem): GivenItem {
  const path = source === "rules" ? /, from (.+)$/s.exec(reason)?.[1] : undefined;
  const note = source === "memory" && key.startsWith("memory://") ? key : undefined;
  return {
    source,
    key,
    // Users know a note by its name, not by its address.
    title: note === title ? title.slice("memory://".length) : title,
    reason: path === undefined ? reason : reason.slice(0, -`, from ${path}`.length),
    tokens,
    ...(path !== undefined && isAbsolute(path) ? { path } : {}),
    note,
    canMute: canMute(source, key),
    ...(withdraws === true ? { withdraws } : {}),
  };
}

/**
 * Whether the item's key means the same in the next session. Other items can only be muted together with their source.
 */
function canMute(source: string, key: string): boolean {
  if (source === "rules") return key !== "on-request";
  if (source === "memory") return key.startsWith("memory://");
  return source === "seed" && key.startsWith("learning/");
}

export function keyOf({ source, key }: Pick<GivenItem, "source" | "key">): string {
  return `${source}/${key}`;
}

/** An item by its `source/key` from a loss report. `known`: delivered items by that name. */
export function itemNamed(name: string, known: ReadonlyMap<string, GivenItem>): GivenItem {
  const slash = name.indexOf("/");
  const [source, key] = [name.slice(0, slash), name.slice(slash + 1)];
  return known.get(name) ?? givenItem({ source, key, title: key, reason: "", tokens: 0 });
}
