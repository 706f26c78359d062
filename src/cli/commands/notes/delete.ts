import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import type { Command, Input } from "../../command.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { subject } from "../../terminal/options.ts";
import { undoLine } from "./undo-line.ts";
import { withMemory } from "./with-memory.ts";

const USAGE = "delete NOTE";

export const deleteCommand: Command = {
  name: "delete",
  summary: "delete a note; continuo restore brings it back",
  usage: USAGE,
  section: "notes",
  isMinor: true,
  guide:
    "Asks first. The file is moved to Continuo's trash, and `continuo restore` puts it back. With `--permanent` no copy is kept.",
  options: {
    permanent: { type: "boolean", help: "keep no copy in the trash; this cannot be undone" },
    yes: { type: "boolean", help: "do not ask" },
  },
  arguments: { NOTE: { help: "a note by its address, path or title" } },
  examples: [
    ['continuo delete "why sqlite"', "asks, then moves the note to the trash"],
    ["continuo delete memory://tech/why-sqlite --yes", "the same without asking"],
  ],
  run(input) {
    const identifier = subject(input, "NOTE", USAGE);
    const isPermanent = input.values["permanent"] === true;
    return withMemory(input, async (memory) => {
      // By its address from here on: the title could be another note's after the question.
      const { uri, path, question } = await described(input, memory, identifier);
      if (input.values["yes"] !== true && !canAsk(input))
        throw noteFailure(
          "note-unconfirmed",
          `${uri} (${path}) was not deleted: there is no terminal to ask on`,
          "confirm with --yes",
        );
      const how = isPermanent ? "permanently? This cannot be undone." : "? You can restore it later.";
      if (!(await confirmed(input, `${question}\nDelete this note${isPermanent ? " " : ""}${how}`)))
        return { data: { uri, deleted: false }, text: "Nothing was deleted.", exitCode: 1 };
      if (isPermanent) {
        await memory.delete(uri, true);
        return { data: { uri, deleted: true }, text: `Deleted permanently: ${oneLine(uri)}` };
      }
      const { trashed } = await memory.discard(uri);
      return {
        data: { uri, deleted: true, id: trashed.id, keptAs: trashed.file },
        text: [`Deleted: ${oneLine(uri)}`, undoLine(input, `continuo restore ${trashed.id}`)].join("\n"),
      };
    });
  },
};

async function described(input: Input, memory: Memory, identifier: string) {
  const { uri, path, root } = await locate(memory, identifier);
  if (!root.isWritable)
    throw noteFailure(
      "note-read-only",
      `${root.path} belongs to another program, so Continuo does not change it`,
      `delete the note there: ${path}`,
    );
  const note = await memory.peek(uri).catch((error: unknown) => {
    if (error instanceof ContinuoError) return undefined;
    throw error;
  });
  const title = note === undefined ? uri : `"${note.title}", changed ${ago(note.modified, input.now())}`;
  return { uri, path, question: `${oneLine(title)}\n  ${oneLine(shortPath(path, input.env))}` };
}

/** A title may be that of a note that is not indexed yet: reading it looks for changes first. */
async function locate(memory: Memory, identifier: string) {
  try {
    return memory.locate(identifier);
  } catch {
    return memory.locate((await memory.peek(identifier)).uri);
  }
}
