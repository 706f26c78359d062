import { describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { noteProblems } from "../../../sources/memory/note-index/note-problems.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { exactly } from "../../terminal/options.ts";
import { throttled } from "../../terminal/progress.ts";
import { counted } from "../../terminal/table.ts";
import { countsOf, withMemory } from "./with-memory.ts";

const USAGE = "sync";

export const syncCommand: Command = {
  name: "sync",
  summary: "update the index of notes (it can be deleted at any time)",
  usage: USAGE,
  group: "notes",
  options: { rebuild: { type: "boolean", help: "discard the index and read every file again" } },
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
  const progress = throttled(input);
  const done = await memory.sync({
    thoroughly: true,
    onProgress: ({ put, same }) => progress(`${counted(put + same, "note")} read`),
  });
  // The index is complete even if making vectors fails.
  let noVectors: string | undefined;
  const embedded = await memory
    .embed({
      onProgress: ({ embedded, pending }) =>
        progress(`${counted(embedded, "note")} with vectors, ${pending} to go`),
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
      `${counted(put, "note")} indexed, ${removed} removed in ${ms} ms`,
      `Total: ${counted(counts.notes, "note")}, ${counted(counts.concepts, "concept")}, ${counted(counts.relations, "relation")}, ${counted(counts.communities, "community", "communities")}`,
      ...(embedded
        ? [`${counted(embedded.embedded, "note")} with new vectors, ${embedded.pending} without vectors`]
        : []),
      ...(noVectors === undefined ? [] : [`No vectors: ${noVectors}`]),
      ...unreadable.map((path) => `Unreadable: ${path}`),
      ...problems.map(({ uri, problem }) => `Not read completely: ${oneLine(`${uri}: ${problem}`)}`),
    ].join("\n"),
    exitCode: unreadable.length > 0 || noVectors !== undefined ? 1 : 0,
  };
}
