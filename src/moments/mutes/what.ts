import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import { nearest } from "../../base/text.ts";
import type { Place } from "../ports/action.ts";
import { sourceCalled, sourceWord } from "../source-words.ts";
import { muteKey } from "../state/muted.ts";
import { recentItems } from "../state/recent-deliveries.ts";

/** What a mute names, and its title. */
export interface Named {
  readonly what: string;
  readonly title?: string;
}

/**
 * What the user means: a source, an item as in `continuo why --json`, a note's address, a name that a source knows (a
 * rule of this project), or the title of a recent delivery.
 */
export async function whatIsMeant(said: string, place: Place): Promise<Named> {
  const all = await place.sources();
  const sources = all.map(({ name }) => name);
  const source = sourceCalled(said, sources);
  if (source !== undefined) return { what: source };
  if (said.startsWith("memory://")) return { what: `memory/${said}`, title: said };
  if (sources.some((name) => said.startsWith(`${name}/`))) return { what: said };
  const named = await Promise.all(
    all.map(async ({ name, named }) => ({ source: name, items: (await named?.(place)) ?? [] })),
  );
  for (const { source, items } of named) {
    const item = items.find(({ isCalled }) => isCalled(said));
    if (item !== undefined) return { what: muteKey(source, item.key), title: item.name };
  }
  const delivered = recentItems(place.home).find(({ title, key }) =>
    [title, key, key.replace(/^memory:\/\//, "")].includes(said),
  );
  if (delivered !== undefined)
    return { what: muteKey(delivered.source, delivered.key), title: delivered.title };
  const words = sources.map(sourceWord);
  const near = nearest(said, [...words, ...named.flatMap(({ items }) => items.map(({ name }) => name))]);
  throw new ContinuoError("mute-unknown", `nothing is called "${oneLine(said)}"`, {
    hint:
      near === undefined
        ? `name a source (${words.join(", ")}), a rule, or something that continuo why shows; what is muted: continuo mutes`
        : `did you mean "${oneLine(near)}"?`,
  });
}
