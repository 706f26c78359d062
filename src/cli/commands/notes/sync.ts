import { describeError } from "../../../base/errors.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { exactly } from "../../terminal/options.ts";
import { throttled } from "../../terminal/progress.ts";
import { countsOf, withMemory } from "./with-memory.ts";

const USAGE = "sync";

export const syncCommand: Command = {
  name: "sync",
  summary: "bring the index to what the files say; it may be deleted at any time",
  usage: USAGE,
  group: "notes",
  options: { rebuild: { type: "boolean", help: "forget what is indexed and read every file again" } },
  async run(input) {
    exactly(input, 0, USAGE);
    if (input.values["rebuild"] === true) await withMemory({ ...input, tell: () => undefined }, forget);
    return withMemory(input, (memory) => sync(input, memory));
  },
};

/** An index whose shape is unknown is made anew when it is opened next; other processes see the old one or the new. */
function forget(memory: Memory): void {
  for (const { db } of memory.indexes()) db.run("UPDATE shape SET fingerprint = ''");
}

async function sync(input: Input, memory: Memory): Promise<Outcome> {
  const started = input.now();
  const progress = throttled(input);
  const done = await memory.sync({
    thoroughly: true,
    onProgress: ({ put, same }) => progress(`${put + same} notes read`),
  });
  // What was indexed stands, whatever becomes of the vectors.
  let noVectors: string | undefined;
  const embedded = await memory
    .embed({
      onProgress: ({ embedded, pending }) => progress(`${embedded} notes given vectors, ${pending} to go`),
    })
    .catch((error: unknown) => {
      const { code, message, hint } = describeError(error);
      if (code === "bug") throw error;
      noVectors = hint === undefined ? message : `${message}; ${hint}`;
      return undefined;
    });
  const counts = countsOf(memory);
  const { put, removed, unreadable } = done;
  const ms = Math.round(input.now() - started);
  return {
    data: {
      indexed: put,
      removed,
      unreadable,
      isComplete: done.isComplete,
      ms,
      ...counts,
      ...(embedded && { embedded }),
      ...(noVectors !== undefined && { noVectors }),
    },
    text: [
      `${put} indexed, ${removed} removed, in ${ms} ms`,
      `${counts.notes} notes, ${counts.concepts} concepts, ${counts.relations} relations, ${counts.communities} communities`,
      ...(embedded ? [`${embedded.embedded} given vectors, ${embedded.pending} without`] : []),
      ...(noVectors === undefined ? [] : [`no vectors: ${noVectors}`]),
      ...unreadable.map((path) => `could not be read: ${path}`),
    ].join("\n"),
    exitCode: unreadable.length > 0 || noVectors !== undefined ? 1 : 0,
  };
}
