import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { fields, flag, optional, text } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { noteFailure } from "../files/failures.ts";
import { checksumOf, readNoteText } from "../files/note.ts";
import type { Memory } from "../memory.ts";
import { NOTE } from "./fields.ts";
import { withNotes } from "./fresh.ts";

export const remove = action({
  name: "delete",
  about: "delete a note; continuo restore brings it back",
  guide:
    "Asks first. The file is moved to Continuo's trash, and `continuo restore` puts it back. With `--permanent` no copy is kept.",
  examples: [
    ['continuo delete "why sqlite"', "asks, then moves the note to the trash"],
    ["continuo delete memory://tech/why-sqlite --yes", "the same without asking"],
  ],
  effect: "writes",
  changes: "notes",
  input: fields({
    note: NOTE,
    permanent: optional(flag("keep no copy in the trash; this cannot be undone")),
    checksum: optional(text("only if the note still has this checksum", { typed: "never" })),
  }),
  asks: ({ note, permanent = false, checksum }, place) =>
    withNotes(place, async (memory) => {
      const { uri, path, what } = await described(place, memory, note);
      const how = permanent ? " permanently? This cannot be undone." : "? You can restore it later.";
      return {
        ask: `${what}\nDelete this note${how}`,
        unasked: noteFailure(
          "note-unconfirmed",
          `${uri} (${path}) was not deleted: there is no terminal to ask on`,
          "confirm with --yes",
        ),
        declined: { data: { uri, deleted: false }, text: "Nothing was deleted." },
        // Uses the address from here on: after the question, the title could be another note's.
        input: { note: uri, permanent, checksum },
      };
    }),
  run: ({ note, permanent = false, checksum }, place) =>
    withNotes(place, async (memory) => {
      const { uri, path } = await writable(memory, note);
      if (checksum !== undefined && checksum !== checksumOf(readNoteText(path)?.text ?? ""))
        throw noteFailure(
          "note-changed",
          `${uri} has changed since it was read`,
          "open it again; nothing was deleted",
        );
      if (!permanent) return { uri, trashed: (await memory.discard(uri)).trashed };
      await memory.delete(uri, true);
      return { uri, trashed: undefined };
    }),
  json: ({ uri, trashed }) => ({
    uri,
    deleted: true,
    ...(trashed && { id: trashed.id, keptAs: trashed.file }),
  }),
  view: ({ uri, trashed }) =>
    trashed === undefined
      ? [exact(`Deleted permanently: ${oneLine(uri)}`)]
      : [exact(`Deleted: ${oneLine(uri)}`), { undo: `continuo restore ${trashed.id}` }],
});

async function described({ env, now }: Place, memory: Memory, identifier: string) {
  const { uri, path } = await writable(memory, identifier);
  const note = await memory.peek(uri).catch((error: unknown) => {
    if (error instanceof ContinuoError) return undefined;
    throw error;
  });
  const title = note === undefined ? uri : `"${note.title}", changed ${ago(note.modified, now())}`;
  return { uri, path, what: `${oneLine(title)}\n  ${oneLine(shortPath(path, env))}` };
}

async function writable(memory: Memory, identifier: string) {
  const { uri, path, root } = await locate(memory, identifier);
  if (root.isWritable) return { uri, path };
  throw noteFailure(
    "note-read-only",
    `${root.path} belongs to another program, so Continuo does not change it`,
    `delete the note there: ${path}`,
  );
}

/** A title may belong to a note that is not indexed yet, so reading it first looks for changes. */
async function locate(memory: Memory, identifier: string) {
  try {
    return memory.locate(identifier);
  } catch {
    return memory.locate((await memory.peek(identifier)).uri);
  }
}
