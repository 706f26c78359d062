import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import { ago, count } from "../../../base/when.ts";
import { fields, flag, optional, text, whole } from "../../../moments/actions/fields.ts";
import { notAsked } from "../../../moments/actions/not-asked.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { type Block, exact, type Shown } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { putBack, readTrash, removeFromTrash, type Trashed } from "../../../store/trash.ts";
import { withNotes } from "./fresh.ts";

/** The result: exactly one of these is set. */
interface Done {
  readonly trash?: readonly Trashed[];
  readonly restored?: Trashed & { readonly uri?: string };
  readonly emptied?: number;
}

export const restore = action({
  name: "restore",
  about: "bring back a deleted note or rule, or undo an edit",
  guide:
    "`continuo delete` and `continuo rules remove` move files to Continuo's trash, and `continuo edit` saves the previous text there. Without NAME, what can be restored is listed. A file goes back to its old place, unless there is a new file. The trash is kept until you empty it.",
  examples: [
    ["continuo restore", "list what can be restored"],
    ['continuo restore "Why SQLite"', "bring back the note with this title"],
    ["continuo restore --empty", "delete everything in the trash permanently; asks first"],
  ],
  effect: "writes",
  changes: "notes",
  input: fields({
    name: optional(
      text("the title of a note, the name of a rule, or the id that was printed", { typed: "rest" }),
    ),
    empty: optional(flag("delete everything in the trash permanently")),
    until: optional(
      whole("with empty: only what was deleted until then", 0, Number.MAX_SAFE_INTEGER, { typed: "never" }),
    ),
  }),
  asks({ empty = false }, { home }) {
    const trash = empty ? readTrash(home) : [];
    const [newest] = trash;
    if (newest === undefined) return undefined;
    const many = count(trash.length, "kept file");
    return {
      ask: `Delete ${many} permanently? This cannot be undone.`,
      unasked: notAsked(`to delete ${many} permanently: continuo restore --empty --yes`),
      declined: { data: { deleted: 0 }, text: "Nothing was deleted." },
      // Notes deleted while the user reads the question were not counted in it.
      input: { empty, until: newest.at },
    };
  },
  async run({ name, empty = false, until = Number.POSITIVE_INFINITY }, place): Promise<Done> {
    const { home } = place;
    const trash = readTrash(home);
    if (!empty) return name === undefined ? { trash } : { restored: await bringBack(name, trash, place) };
    if (name !== undefined)
      throw new ContinuoError("usage", "--empty takes no name: it deletes everything in the trash", {
        hint: "usage: continuo restore --empty",
      });
    const seen = trash.filter(({ at }) => at <= until);
    for (const { id } of seen) removeFromTrash(home, id);
    return { emptied: seen.length };
  },
  json({ trash = [], restored, emptied }) {
    if (emptied !== undefined) return { deleted: emptied };
    if (restored === undefined)
      return { items: trash.map(({ at, ...one }) => ({ ...one, deleted: new Date(at).toISOString() })) };
    const { kind, name, path, uri } = restored;
    return { kind, name, path, ...(uri !== undefined && { uri }), restored: true };
  },
  view({ trash = [], restored, emptied }, shown) {
    if (restored !== undefined) return restoredView(restored, shown);
    if (emptied === 0) return ["The trash is empty."];
    return emptied === undefined
      ? trashView(trash, shown)
      : [`Deleted ${count(emptied, "kept file")} permanently.`];
  },
});

async function bringBack(name: string, trash: readonly Trashed[], place: Place) {
  const trashed = chosen(name, trash, place);
  if (trashed.kind !== "rule")
    return { ...trashed, ...(await withNotes(place, (memory) => memory.bringBack(trashed))) };
  putBack(place.home, trashed);
  return trashed;
}

function chosen(wanted: string, trash: readonly Trashed[], { env, now }: Place): Trashed {
  const same = (name: string) => name.toLowerCase() === wanted.toLowerCase();
  const called = trash.filter(
    ({ id, name, path }) => id === wanted || same(name) || shortPath(path, env) === wanted || path === wanted,
  );
  // A name refers to a deleted file; without one, to the last edit.
  const deleted = called.filter(({ kind, id }) => kind !== "edit" || id === wanted);
  const found = deleted.length > 0 ? deleted : called.slice(0, 1);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    const names = trash.flatMap(({ id, name }) => [id, name]);
    const near = nearest(wanted, names);
    throw new ContinuoError("not-in-trash", `nothing called "${wanted}" was deleted`, {
      hint:
        near === undefined ? "list what was deleted: continuo restore" : `did you mean "${oneLine(near)}"?`,
    });
  }
  const each = found.map(
    ({ id, path, at }) => `  ${id}  ${ago(at, now())}  ${oneLine(shortPath(path, env))}`,
  );
  throw new ContinuoError("ambiguous", `${found.length} deleted files are called "${wanted}"`, {
    hint: ["give the id of one:", ...each],
  });
}

function restoredView({ kind, name, path }: Trashed, { paint, env }: Shown): readonly Block[] {
  const what = kind === "edit" ? "Undid the last edit of the note" : `Restored the ${kind}`;
  return [exact(`${what} ${paint("bold", oneLine(name))}`), exact(`  ${oneLine(shortPath(path, env))}`)];
}

function trashView(trash: readonly Trashed[], { paint, env, now }: Shown): readonly Block[] {
  if (trash.length === 0) return ["The trash is empty: there is nothing to restore."];
  const rows = trash.map(({ id, kind, name, path, at }) => [
    paint("dim", id),
    kind,
    oneLine(name),
    ago(at, now),
    oneLine(shortPath(path, env)),
  ]);
  return [
    {
      columns: ["id", "kind", "name", "when", "file"],
      rows,
      fit: { flexible: [2, 4], optional: [4, 3], keepEnd: [4] },
    },
    {
      next: [
        ["continuo restore NAME", "Bring one back"],
        ["continuo restore --empty", "Delete them permanently"],
      ],
    },
  ];
}
