import { whyRefused } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Memory } from "../memory.ts";
import { countsOf, noteProblems } from "../note-index/note-problems.ts";
import { NO_NOTES, noteProgress, share, withNotes } from "./fresh.ts";

export const sync = action({
  name: "sync",
  about: "update the index of notes",
  guide: "Usually not needed: every search first indexes what changed. The index can be deleted at any time.",
  examples: [
    ["continuo sync", "index all changes, even in a large folder"],
    ["continuo sync --rebuild", "rebuild the index"],
  ],
  effect: "writes",
  changes: "notes",
  input: fields({ rebuild: optional(flag("discard the index and read every file again")) }),
  async run({ rebuild = false }, place) {
    if (rebuild) await withNotes({ ...place, tell: () => undefined }, forget);
    return withNotes(place, (memory) => syncAll(place, memory));
  },
  isBad: ({ unreadable, noVectors }) => unreadable.length > 0 || noVectors !== undefined,
  view(done, { paint, env }) {
    const { indexed, removed, unreadable, problems, ms, notes, concepts, relations, embedded, noVectors } =
      done;
    const what =
      indexed + removed === 0
        ? "No note has changed."
        : `${count(indexed, "new or changed note")}, ${count(removed, "removed note")} (${ms} ms).`;
    const total = `In total ${count(notes, "note")}, ${count(concepts, "concept")}, ${count(relations, "relation")} between them.`;
    return [
      `${paint("green", "The index is up to date.")} ${what}`,
      exact(notes === 0 ? NO_NOTES : total),
      ...(embedded
        ? [`${count(embedded.embedded, "note")} with new vectors, ${embedded.pending} without vectors`]
        : []),
      ...(noVectors === undefined ? [] : [`No vectors: ${oneLine(noVectors)}`]),
      ...unreadable.map((path) => `${paint("yellow", "Unreadable:")} ${oneLine(shortPath(path, env))}`),
      ...problems.map(({ uri, problem }) => `Not read completely: ${oneLine(`${uri}: ${problem}`)}`),
      { next: notes === 0 ? [] : [["continuo search WORDS", "Search them"]] },
    ];
  },
});

/**
 * Deletes the fingerprint of the tables, so that the index is rebuilt when it is opened next. Other processes see the
 * old index or the new one.
 */
function forget(memory: Memory): void {
  for (const { db } of memory.indexes()) db.run("UPDATE shape SET fingerprint = ''");
}

async function syncAll(place: Place, memory: Memory) {
  const started = place.now();
  const { signal } = place;
  const done = await memory.sync({ thoroughly: true, signal, onProgress: noteProgress(place, memory) });
  // The index is complete even if making vectors fails.
  let noVectors: string | undefined;
  const show = place.progress?.();
  const embedded = await memory
    .embed({
      signal,
      onProgress: ({ embedded: made, pending }) =>
        show?.(() => ({
          share: share(made, made + pending),
          label: `${made} of ${made + pending} notes with vectors`,
        })),
    })
    .catch((error: unknown) => {
      noVectors = whyRefused(error);
      return undefined;
    });
  return {
    indexed: done.put,
    removed: done.removed,
    unreadable: done.unreadable,
    problems: noteProblems(memory.indexes()),
    isComplete: done.isComplete,
    ms: Math.round(place.now() - started),
    ...countsOf(memory.indexes()),
    ...(embedded && { embedded }),
    ...(noVectors !== undefined && { noVectors }),
  };
}
