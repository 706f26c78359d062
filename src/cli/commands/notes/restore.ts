import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import { ago } from "../../../base/when.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { findHome } from "../../../store/home.ts";
import { putBack, readTrash, removeFromTrash, type Trashed } from "../../../store/trash.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, table } from "../../terminal/table.ts";
import { withMemory } from "./with-memory.ts";

export const restoreCommand: Command = {
  name: "restore",
  summary: "bring back a deleted note or rule, or undo an edit",
  usage: "restore [NAME]",
  section: "notes",
  isMinor: true,
  guide:
    "`continuo delete` and `continuo rules remove` move files to Continuo's trash, and `continuo edit` saves the previous text there. Without NAME, what can be restored is listed. A file goes back to its old place, unless there is a new file. The trash is kept until you empty it.",
  options: {
    empty: { type: "boolean", help: "delete everything in the trash permanently" },
    yes: { type: "boolean", help: "do not ask before the trash is emptied" },
  },
  arguments: { NAME: { help: "the title of a note, the name of a rule, or the id that was printed" } },
  examples: [
    ["continuo restore", "list what can be restored"],
    ['continuo restore "Why SQLite"', "bring back the note with this title"],
    ["continuo restore --empty", "delete everything in the trash permanently; asks first"],
  ],
  run(input) {
    const wanted = input.positionals.join(" ").trim();
    const trash = readTrash(findHome(input.env));
    if (input.values["empty"] === true) return empty(input, trash, wanted);
    return wanted === "" ? list(input, trash) : restore(input, chosen(input, trash, wanted));
  },
};

function list(input: Input, trash: readonly Trashed[]): Outcome {
  const data = { items: trash.map(({ at, ...one }) => ({ ...one, deleted: new Date(at).toISOString() })) };
  if (trash.length === 0) return { data, text: "The trash is empty: there is nothing to restore." };
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const rows = trash.map(({ id, kind, name, path, at }) => [
    paint("dim", id),
    kind,
    oneLine(name),
    ago(at, input.now()),
    oneLine(shortPath(path, input.env)),
  ]);
  return {
    data,
    text: [
      table(["id", "kind", "name", "when", "file"], rows, screen, {
        flexible: [2, 4],
        optional: [4, 3],
        keepEnd: [4],
      }),
      ...nextSteps(
        screen,
        ["continuo restore NAME", "Bring one back"],
        ["continuo restore --empty", "Delete them permanently"],
      ),
    ].join("\n"),
  };
}

function chosen(input: Input, trash: readonly Trashed[], wanted: string): Trashed {
  const same = (name: string) => name.toLowerCase() === wanted.toLowerCase();
  const called = trash.filter(
    ({ id, name, path }) =>
      id === wanted || same(name) || shortPath(path, input.env) === wanted || path === wanted,
  );
  // A name means what was deleted; without such a file, the last edit.
  const deleted = called.filter(({ kind, id }) => kind !== "edit" || id === wanted);
  const found = deleted.length > 0 ? deleted : called.slice(0, 1);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    const near = nearest(
      wanted,
      trash.flatMap(({ id, name }) => [id, name]),
    );
    throw new ContinuoError("not-in-trash", `nothing called "${wanted}" was deleted`, {
      hint:
        near === undefined ? "list what was deleted: continuo restore" : `did you mean "${oneLine(near)}"?`,
    });
  }
  const each = found.map(
    ({ id, path, at }) => `  ${id}  ${ago(at, input.now())}  ${oneLine(shortPath(path, input.env))}`,
  );
  throw new ContinuoError("ambiguous", `${found.length} deleted files are called "${wanted}"`, {
    hint: ["give the id of one:", ...each],
  });
}

async function restore(input: Input, trashed: Trashed): Promise<Outcome> {
  const { kind, name, path } = trashed;
  if (kind !== "rule") await withMemory(input, (memory) => memory.bringBack(trashed));
  else putBack(findHome(input.env), trashed);
  const paint = paintFor(input.screen ?? PLAIN);
  return {
    data: { kind, name, path, restored: true },
    text: [
      kind === "edit"
        ? `Undid the last edit of the note ${paint("bold", oneLine(name))}`
        : `Restored the ${kind} ${paint("bold", oneLine(name))}`,
      `  ${oneLine(shortPath(path, input.env))}`,
    ].join("\n"),
  };
}

async function empty(input: Input, trash: readonly Trashed[], wanted: string): Promise<Outcome> {
  if (wanted !== "")
    throw new ContinuoError("usage", "--empty takes no name: it deletes everything in the trash", {
      hint: "usage: continuo restore --empty",
    });
  if (trash.length === 0) return { data: { deleted: 0 }, text: "The trash is empty." };
  const many = counted(trash.length, "kept file");
  if (input.values["yes"] !== true && !canAsk(input))
    throw new ContinuoError("not-confirmed", "not confirmed: there is no terminal to ask on", {
      hint: `to delete ${many} permanently: continuo restore --empty --yes`,
    });
  if (!(await confirmed(input, `Delete ${many} permanently? This cannot be undone.`)))
    return { data: { deleted: 0 }, text: "Nothing was deleted.", exitCode: 1 };
  for (const { id } of trash) removeFromTrash(findHome(input.env), id);
  return { data: { deleted: trash.length }, text: `Deleted ${many} permanently.` };
}
