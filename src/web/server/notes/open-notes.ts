import { inSlices, othersFirst } from "../../../base/slices.ts";
import { updateSteps } from "../../../sources/notes/graph/communities.ts";
import { type Memory, openMemory } from "../../../sources/notes/memory.ts";
import { memorySettings } from "../../../sources/notes/settings.ts";
import type { Web } from "../web.ts";

/** Gives a server's requests access to the notes. */
interface OpenNotes {
  /**
   * Opens the notes for one request. First indexes new notes and changes of the newest ones; `isIndexing`: there was no
   * time for all of them.
   */
  use<T>(work: (memory: Memory, isIndexing: boolean) => Promise<T> | T): Promise<T>;
  /** Checks every note for changes, in the background. */
  catchUp(): Promise<void>;
}

/** Before an answer: checking the folders and the newest notes takes a few milliseconds. */
const BEFORE_MS = 30;
/** While all notes are checked: other requests are answered between slices of this length. */
const SLICE_MS = 25;
const SHOWN_MS = 2000;

export function openNotes(web: Web): OpenNotes {
  const { home, env, now } = web;
  let running: Promise<void> | undefined;
  let isWantedAgain = false;
  let hasChecked = false;
  let isClosed = false;
  web.onClose(async () => {
    isClosed = true;
    await running;
  });

  const open = (): Memory =>
    openMemory({ home, env, now, settings: memorySettings(home, env), syncMs: 0, keepsOpen: true });

  async function checkAll(): Promise<void> {
    const memory = open();
    try {
      let changed = 0;
      let shown = performance.now();
      for (let isComplete = false; !isComplete && !isClosed; ) {
        const done = await memory.sync({ sliceMs: SLICE_MS });
        changed += done.put + done.removed;
        isComplete = done.isComplete;
        // While thousands of notes are indexed, the page shows more and more of them.
        if (changed > 0 && performance.now() - shown > SHOWN_MS) {
          shown = performance.now();
          changed = 0;
          web.publish({ type: "notes" });
        }
        await othersFirst();
      }
      for (const { db } of memory.indexes()) if (!isClosed) await inSlices(updateSteps(db));
      hasChecked = true;
      if (changed > 0 && !isClosed) web.publish({ type: "notes" });
    } finally {
      memory.close();
    }
  }

  function catchUp(): Promise<void> {
    isWantedAgain = running !== undefined;
    running ??= checkAll()
      .catch((error: unknown) => {
        web.report("notes-sync", error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        running = undefined;
        if (isWantedAgain && !isClosed) void catchUp();
      });
    return running;
  }

  // Another process changed a note, perhaps in place: only a check of all notes finds it.
  web.onClose(
    web.subscribe(({ type }) => {
      if (type === "notes" && hasChecked) void catchUp();
    }),
  );

  return {
    catchUp,
    async use(work) {
      const memory = open();
      try {
        const { isComplete } = await memory.sync({ sliceMs: BEFORE_MS, isScan: false });
        if (!hasChecked && running === undefined) void catchUp();
        return await work(memory, !isComplete);
      } finally {
        memory.close();
      }
    },
  };
}
