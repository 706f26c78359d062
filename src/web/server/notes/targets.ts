import { inSlices } from "../../../base/slices.ts";
import { versionOf } from "../../../sources/notes/graph/graph-view.ts";
import { type LinkTargets, linkTargetSteps } from "../../../sources/notes/note-index/link-targets.ts";
import type { MemoryIndex } from "../../../sources/notes/note-index/memory-index.ts";

/** Possible targets of links, read again only after a note has changed. */
export interface Targets {
  of(indexes: readonly MemoryIndex[]): Promise<LinkTargets>;
}

export function keptTargets(): Targets {
  let kept: { readonly version: string; readonly targets: Promise<LinkTargets> } | undefined;
  return {
    of(indexes) {
      const version = versionOf(indexes);
      if (kept?.version !== version) kept = { version, targets: inSlices(linkTargetSteps(indexes)) };
      return kept.targets;
    },
  };
}

const MOST_TITLES = 20;

/** Completions of a link: notes and concepts whose name begins with the typed text, then those that contain it. */
export function titlesFor(
  indexes: readonly MemoryIndex[],
  targets: LinkTargets,
  typed: string,
): { readonly title: string; readonly uri?: string }[] {
  const wanted = typed.trim().toLowerCase();
  const first: { title: string; uri?: string }[] = [];
  const then: { title: string; uri?: string }[] = [];
  for (const { title, uri } of targets.notes) {
    const at = title.toLowerCase().indexOf(wanted);
    if (at === 0) first.push({ title, uri });
    else if (at > 0) then.push({ title, uri });
    if (first.length === MOST_TITLES) break;
  }
  const notes = [...first, ...then].slice(0, MOST_TITLES);
  const known = new Set(notes.map(({ title }) => title.toLowerCase()));
  const concepts = indexes
    .flatMap(({ db }) =>
      db.all<{ name: string }>(
        "SELECT name FROM concept WHERE name >= ? AND name < ? ORDER BY notes DESC LIMIT ?",
        [wanted.replaceAll(" ", "-"), `${wanted.replaceAll(" ", "-")}\u{10ffff}`, MOST_TITLES],
      ),
    )
    .filter(({ name }) => !known.has(name) && !known.has(name.replaceAll("-", " ")));
  return [...notes, ...concepts.map(({ name }) => ({ title: name }))].slice(0, MOST_TITLES);
}
