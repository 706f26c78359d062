import { describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { noteProblems } from "../../../sources/memory/note-index/note-problems.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { exactly } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { progressBar } from "../../terminal/progress.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { noteProgress, share } from "./note-progress.ts";
import { countsOf, NO_NOTES, withMemory } from "./with-memory.ts";

const USAGE = "sync";

export const syncCommand: Command = {
  name: "sync",
  summary: "update the index of notes",
  usage: USAGE,
  section: "notes",
  isMinor: true,
  guide: "Usually not needed: every search first indexes what changed. The index can be deleted at any time.",
  options: { rebuild: { type: "boolean", help: "discard the index and read every file again" } },
  examples: [
    ["continuo sync", "index all changes, even in a large folder"],
    ["continuo sync --rebuild", "rebuild the index"],
  ],
  async run(input) {
    exactly(input, 0, USAGE);
    if (input.values["rebuild"] === true) await withMemory({ ...input, tell: () => undefined }, forget);
    return withMemory(input, (memory) => sync(input, memory));
  },
};

/** An index with an unknown shape is rebuilt when it is opened next. Other processes see the old index or the new one. */
function forget(memory: Memory): void {
  for (const { db } of memory.indexes()) db.run("UPDATE shape SET fingerprint = ''");
}

async function sync(input: Input, memory: Memory): Promise<Outcome> {
  const started = input.now();
  const done = await memory.sync({ thoroughly: true, onProgress: noteProgress(input, memory) });
  // The index is complete even if making vectors fails.
  let noVectors: string | undefined;
  const show = progressBar(input);
  const embedded = await memory
    .embed({
      onProgress: ({ embedded, pending }) =>
        show(() => ({
          share: share(embedded, embedded + pending),
          label: `${embedded} of ${embedded + pending} notes with vectors`,
        })),
    })
    .catch((error: unknown) => {
      const { code, message, hint } = describeError(error);
      if (code === "bug") throw error;
      noVectors = hint === undefined ? message : `${message}; ${hint}`;
      return undefined;
    });
  const counts = countsOf(memory);
  const { put, removed, unreadable } = done;
  const problems = noteProblems(memory.indexes());
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const ms = Math.round(input.now() - started);
  return {
    data: {
      indexed: put,
      removed,
      unreadable,
      problems,
      isComplete: done.isComplete,
      ms,
      ...counts,
      ...(embedded && { embedded }),
      ...(noVectors !== undefined && { noVectors }),
    },
    text: [
      put + removed === 0
        ? `${paint("green", "The index is up to date.")} No note has changed.`
        : `${paint("green", "The index is up to date.")} ${counted(put, "new or changed note")}, ${counted(removed, "removed note")} (${ms} ms).`,
      ...(counts.notes === 0
        ? [NO_NOTES]
        : [
            `In total ${counted(counts.notes, "note")}, ${counted(counts.concepts, "concept")}, ${counted(counts.relations, "relation")} between them.`,
          ]),
      ...(embedded
        ? [`${counted(embedded.embedded, "note")} with new vectors, ${embedded.pending} without vectors`]
        : []),
      ...(noVectors === undefined ? [] : [`No vectors: ${oneLine(noVectors)}`]),
      ...unreadable.map((path) => `${paint("yellow", "Unreadable:")} ${oneLine(shortPath(path, input.env))}`),
      ...problems.map(({ uri, problem }) => `Not read completely: ${oneLine(`${uri}: ${problem}`)}`),
      ...(counts.notes === 0 ? [] : nextSteps(screen, ["continuo search WORDS", "Search them"])),
    ].join("\n"),
    exitCode: unreadable.length > 0 || noVectors !== undefined ? 1 : 0,
  };
}
