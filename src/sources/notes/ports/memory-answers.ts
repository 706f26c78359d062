import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import { setV8Flags } from "../../../base/v8-flags.ts";
import { count } from "../../../base/when.ts";
import type { Section } from "../../../compose/section.ts";
import type { OfferContext } from "../../../moments/ports/offer.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import { watchedProject } from "../../../moments/project/prepared-place.ts";
import type { CompactedMoment, ExpectedStart, ResumeMoment, StartMoment } from "../../../moments/types.ts";
import { type Basis, createBasis } from "../../../store/basis.ts";
import { dailyWarning } from "../../../store/health.ts";
import { homeAt } from "../../../store/home.ts";
import { writePrepared } from "../../../store/prepared.ts";
import { priorityOf } from "../../order.ts";
import { lastReadsFile } from "../decay.ts";
import { type MemoryEngine, ownEngine } from "../engine.ts";
import { type Memory, openMemory } from "../memory.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { seenFrom } from "../note-project.ts";
import { MEMORY_SETTINGS } from "../settings.ts";
import { additionOf, hasTopic, notesFor } from "./additions.ts";
import { leadHash, leadOf } from "./lead.ts";
import { distinct, findForStart, fullText, pointers, type StartOptions } from "./session-start.ts";
import { listForStart } from "./start-list.ts";
import {
  listAnswer,
  listSection,
  memorySection,
  preparedFor,
  type StartLine,
  toldIn,
  wholeIn,
} from "./start-section.ts";

/** The host waits, so the sync is short. The next one continues it. */
const HOOK_SYNC_MS = 10;
/** The share of the deadline for syncing an index that is far behind, for example after the installation. */
const CATCH_UP_SHARE = 0.3;
/**
 * In bytes. A larger note, of ten thousand words and more, is indexed when the agent is idle, because nobody waits
 * then.
 */
const LARGEST_WAITED = 128 * 1024;
const BUSY_MS = 100;
/** The share of the deadline for one call. A search needs only a fraction of it. */
const CALL_SHARE = 0.45;
/** Tokens of the tags around the text. */
const FRAME_TOKENS = 120;

/** `prepared`: the list of notes, if it was prepared in advance. */
export async function atStart(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  context: SourceContext,
  prepared?: readonly StartLine[],
): Promise<Answer> {
  const { sessionStart, additions } = typed(MEMORY_SETTINGS, context.settings);
  const made = prepared && listAnswer(prepared);
  const answer = made ?? (sessionStart ? await startAnswer(context) : {});
  // If the snapshot comes with the first prompt, that prompt gets no separate addition.
  const prompt = moment.name === "start" && additions ? moment.prompt : undefined;
  if (prompt === undefined) return answer;
  // A note whose whole text is in the list is not added again.
  const whole = wholeIn(answer.remember?.(undefined));
  const added = await atPrompt(prompt, context, (_, hash) => whole.includes(hash));
  return { ...answer, sections: [...(answer.sections ?? []), ...added] };
}

/** Whether a line in this epoch's list contains the note's whole text. */
function isToldWhole({ memo, delivered }: SourceContext): (uri: string, hash: string) => boolean {
  const whole = wholeIn(memo);
  return (uri, hash) => whole.includes(hash) && delivered?.has(uri) === true;
}

export async function atPrompt(
  prompt: string,
  context: SourceContext,
  isTold = isToldWhole(context),
): Promise<Section[]> {
  // Checked without opening the index.
  if (!hasTopic(prompt)) return [];
  const items = await withMemory(context, async (memory) => {
    const hits = await notesFor(memory, prompt, seenFrom(context.knownProject(), context.env));
    const notes = await Promise.all(hits.map(({ uri }) => memory.readFound(uri)));
    return hits.flatMap((hit, i) => {
      const note = notes[i];
      if (note === undefined) return [];
      const lead = leadOf(note.body, hit.title);
      return isTold(hit.uri, leadHash(hit.uri, lead)) ? [] : [additionOf(hit, lead)];
    });
  });
  return items.length === 0
    ? []
    : [memorySection("Notes that may help with this prompt", items, priorityOf("notes at a prompt"))];
}

async function startAnswer(context: SourceContext): Promise<Answer> {
  const { startText, command } = typed(MEMORY_SETTINGS, context.settings);
  const known = context.knownProject();
  const seen = seenFrom(known, context.env);
  if (command !== "") return withProgram(command, known.name, context);
  if (seen === undefined) return {};
  if (startText === "full")
    return withMemory(context, (memory) => fullAnswer(ownEngine(memory, seen), known.name, context));
  const told = toldIn(context.memo);
  return listAnswer(
    await withMemory(context, async (memory) =>
      (await listForStart(memory, seen, told, undefined, context.isMuted)).listAt(Date.now(), told),
    ),
  );
}

const HOUR_MS = 3_600_000;
/** Notes lose value with time, and one may overtake another. In hours: how long the list stays the same. */
const HOURS = [1, 6, 24, 48, 96, 168];

/** Prepares the list of notes for the next start, with everything that shows whether it is still right then. */
export async function prepareList(start: ExpectedStart, context: SourceContext): Promise<void> {
  const basis = createBasis();
  const now = Date.now();
  basis.watch(lastReadsFile(homeAt(context.home)));
  const known = seenFrom(watchedProject(basis, start, context), context.env);
  const seen = known && { ...known, onChecked: (folder: string) => basis.watchExistence(folder) };
  await withMemory(
    context,
    async (memory) => {
      const maker =
        seen && (await listForStart(memory, seen, [], (path) => basis.watch(path), context.isMuted));
      const list = maker?.listAt(now) ?? [];
      const isSame = (hours: number) =>
        JSON.stringify(maker?.listAt(now + hours * HOUR_MS) ?? []) === JSON.stringify(list);
      const changes = HOURS.findIndex((hours) => !isSame(hours));
      const hours = changes === -1 ? HOURS.at(-1) : HOURS[changes - 1];
      if (hours !== undefined && !context.signal.aborted)
        writePrepared(preparedFor(start, context), list, basis, now + hours * HOUR_MS);
    },
    { basis },
  );
}

/** Few users have such a program, and the code that starts processes takes time to load. */
async function withProgram(command: string, project: string, context: SourceContext): Promise<Answer> {
  // It would be called again for the start itself.
  if (context.isUnseen === true) return {};
  const { startText, commandTimeoutMs: timeoutMs } = typed(MEMORY_SETTINGS, context.settings);
  const { externalEngine } = await import("../external/external-engine.ts");
  const warn = onceADay("memory-command", context);
  const engine = externalEngine({ command, env: context.env, timeoutMs, warn });
  if (startText === "full") return fullAnswer(engine, project, context);
  const found = await findForStart(engine, startOptions(project, 0, context));
  const lines = pointers(found);
  return lines.length === 0 ? {} : { sections: [listSection(lines)] };
}

/** The user turned on the full text, so it may exceed the aim of a snapshot. */
async function fullAnswer(engine: MemoryEngine, project: string, context: SourceContext): Promise<Answer> {
  const { startTokens } = typed(MEMORY_SETTINGS, context.settings);
  // 0 disables it. Only a preview, which shows what a session gets, still says that there are notes.
  if (startTokens === 0 && !context.readOnly) return {};
  const limit = Math.max(0, startTokens - FRAME_TOKENS);
  const found = await findForStart(engine, startOptions(project, limit, context));
  const text = fullText(found, limit);
  if (text === "") {
    if (found.notes.length + found.recent.length > 0) noRoom(startTokens, context);
    return {};
  }
  const item = { key: "full", name: "knowledge graph", text, reason: "session start", priority: 0 };
  return {
    sections: [
      {
        ...memorySection("Memory", [item], priorityOf("notes at a start")),
        essential: true,
        summary: () => count(distinct([...found.notes, ...found.recent]).length, "note"),
      },
    ],
  };
}

/**
 * Reports at most once a day, because each start finds the same. A preview also shows it, but does not count as the
 * day's report.
 */
function onceADay(about: string, { home, readOnly, report }: SourceContext): SourceContext["report"] {
  return readOnly ? report : dailyWarning(homeAt(home), about, Date.now(), report);
}

/** Reports that there are notes, but a session gets none of them. */
function noRoom(startTokens: number, context: SourceContext): void {
  onceADay("memory-room", context)(
    "memory-room",
    `sources.memory.startTokens is ${startTokens}, which is too few for any note; the text around them needs about ${FRAME_TOKENS}`,
    "raise it, or TOKEN_LIMIT if that is set: continuo config sources.memory.startTokens 4000",
  );
}

function startOptions(project: string, tokenLimit: number, context: SourceContext): StartOptions {
  const { signal, deadlineMs, report } = context;
  const { commandTimeoutMs } = typed(MEMORY_SETTINGS, context.settings);
  return {
    project,
    tokenLimit,
    timeoutMs: Math.min(commandTimeoutMs, Math.floor(deadlineMs * CALL_SHARE)),
    signal,
    onFailure(tool, error) {
      const { code, message, hint } = describeError(error);
      report(code === "bug" ? "memory-call-failed" : code, `${tool}: ${message}`, hint);
    },
  };
}

/** Enough for a few parts. */
const VECTORS_MS = 100;

/**
 * The agent is idle: time to sync the notes, and to compute pending vectors. In a long-running process, also to load
 * what a search needs, because syncing writes to the index: the next prompt then finds it in memory.
 */
export async function atIdle(context: SourceContext): Promise<void> {
  const { signal, deadlineMs, readOnly, isOwnProcess } = context;
  const sliceMs = Math.min(VECTORS_MS, deadlineMs * CATCH_UP_SHARE);
  await withMemory(
    context,
    async (memory) => {
      if (!readOnly) await memory.refreshVectors({ sliceMs, signal });
      if (isOwnProcess !== true && !signal.aborted) await memory.search({ query: "notes", pageSize: 1 });
    },
    { isScan: true },
  );
}

/** Embedding a note takes a tenth of a second or more, and the host's interface must stay responsive. */
const EMBED_SLICE_MS = 2_000;

/** A job for when the agent is idle: computes missing vectors. */
export async function embedNotes(
  { home, env, settings, now }: OfferContext,
  signal: AbortSignal,
): Promise<void> {
  const memory = openMemory({ home, env, settings, now: () => now, signal });
  try {
    await memory.embed({ sliceMs: EMBED_SLICE_MS, signal });
  } finally {
    memory.close();
  }
}

/**
 * A hook runs without V8's optimising compilers (`entries/bin.ts`). Indexing many notes takes so long that they pay
 * off.
 */
function optimise({ isOwnProcess }: SourceContext): void {
  if (isOwnProcess === true) setV8Flags("--opt");
}

/**
 * A short sync, then a longer one if there are notes to read and it did not finish. Returns whether it is complete.
 * Before a query it finds new notes and changes of the newest ones; scanning all others is left to idle moments, when
 * nobody waits.
 */
async function catchUp(memory: Memory, context: SourceContext, isScan: boolean): Promise<boolean> {
  const { signal, deadlineMs } = context;
  const until = Date.now() + deadlineMs * CATCH_UP_SHARE;
  let sliceMs = HOOK_SYNC_MS;
  for (;;) {
    const largest = isScan ? {} : { largest: LARGEST_WAITED };
    const { isComplete, put, left } = await memory.sync({ sliceMs, signal, isScan, ...largest });
    sliceMs = until - Date.now();
    if (isComplete || sliceMs <= 0 || signal.aborted) return isComplete;
    // Nothing was read in time. On a slow machine that says nothing about an index without notes or, when idle, about a
    // large note that is left for a longer sync.
    const isWorthMore = left > 0 ? isScan : memory.indexes().some(isEmpty);
    if (put === 0 && !isWorthMore) return false;
    optimise(context);
  }
}

function isEmpty({ db }: MemoryIndex): boolean {
  return db.get("SELECT 1 FROM note LIMIT 1") === undefined;
}

async function withMemory<T>(
  context: SourceContext,
  work: (memory: Memory) => Promise<T>,
  { isScan = false, basis }: { readonly isScan?: boolean; readonly basis?: Basis } = {},
): Promise<T> {
  const { env, settings, home, signal, isOwnProcess } = context;
  const memory = openMemory({
    home: homeAt(home),
    env,
    settings,
    isHook: true,
    // One sync is enough for all queries of a moment.
    syncMs: 0,
    busyTimeoutMs: BUSY_MS,
    signal,
    keepsOpen: isOwnProcess !== true,
    onUnreadable(error) {
      const { code, message, hint = "" } = describeError(error);
      onceADay("memory-notes", context)(code, message, hint);
    },
  });
  try {
    // Also for a preview: the index is derived, and a preview shows the notes as they are now.
    if (basis === undefined) await catchUp(memory, context, isScan);
    else await catchUpWatched(memory, context, basis);
    return await work(memory);
  } finally {
    memory.close();
  }
}

/** New notes change the time of their folder, so folders are watched from before the sync. */
async function catchUpWatched(memory: Memory, context: SourceContext, basis: Basis): Promise<void> {
  const known = foldersIn(memory);
  basis.watch(...known);
  if (!(await catchUp(memory, context, false))) basis.giveUp();
  const found = foldersIn(memory).filter((path) => !known.includes(path));
  if (found.length === 0) return;
  basis.watch(...found);
  if (!(await catchUp(memory, context, false))) basis.giveUp();
}

function foldersIn(memory: Memory): string[] {
  return [
    ...memory.roots.map(({ path }) => path),
    ...memory
      .indexes()
      .flatMap(({ db, files }) =>
        db.all<{ path: string }>("SELECT path FROM folder").map(({ path }) => join(files.root, path)),
      ),
  ];
}
