import { describeError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import { typed } from "../../../base/settings.ts";
import { count } from "../../../base/when.ts";
import type { Item, Section } from "../../../compose/section.ts";
import type { OfferContext } from "../../../moments/ports/offer.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import type { CompactedMoment, ResumeMoment, StartMoment } from "../../../moments/types.ts";
import { dailyWarning } from "../../../store/health.ts";
import { homeAt } from "../../../store/home.ts";
import { priorityOf } from "../../order.ts";
import { type MemoryEngine, ownEngine } from "../engine.ts";
import { type Memory, openMemory } from "../memory.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { seenFrom } from "../note-project.ts";
import { MEMORY_SETTINGS } from "../settings.ts";
import { additionOf, hasTopic, leadOf, notesFor } from "./additions.ts";
import { findForStart, fullText, pointers, type StartOptions } from "./session-start.ts";
import { listForStart, type StartLine } from "./start-list.ts";

/** The host waits, so the sync is short. The next one continues it. */
const HOOK_SYNC_MS = 10;
/** The share of the deadline for syncing an index that is far behind, for example after the installation. */
const CATCH_UP_SHARE = 0.3;
const BUSY_MS = 100;
/** The share of the deadline for one call. A search needs a fraction of it. */
const CALL_SHARE = 0.45;
/** Tokens of the tags around the text. */
const FRAME_TOKENS = 120;
const MAX_TOLD = 20;

export async function atStart(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  context: SourceContext,
): Promise<Answer> {
  const { sessionStart, additions } = typed(MEMORY_SETTINGS, context.settings);
  const answer = sessionStart ? await startAnswer(context) : {};
  // If the snapshot comes with the first prompt, that prompt gets no separate addition.
  const prompt = moment.name === "start" && additions ? moment.prompt : undefined;
  if (prompt === undefined) return answer;
  return { ...answer, sections: [...(answer.sections ?? []), ...(await atPrompt(prompt, context))] };
}

export async function atPrompt(prompt: string, context: SourceContext): Promise<Section[]> {
  // Without opening the index.
  if (!hasTopic(prompt)) return [];
  const items = await withMemory(context, async (memory) => {
    const hits = await notesFor(memory, prompt, seenFrom(context.knownProject(), context.env));
    // A note that was deleted since, or that cannot be opened, must not drop the others.
    const notes = await Promise.all(hits.map(({ uri }) => memory.peek(uri).catch(() => undefined)));
    return hits.flatMap((hit, i) => {
      const note = notes[i];
      return note === undefined ? [] : [additionOf(hit, leadOf(note.body, hit.title))];
    });
  });
  return items.length === 0 ? [] : [section("Notes on this prompt", items, priorityOf("notes at a prompt"))];
}

async function startAnswer(context: SourceContext): Promise<Answer> {
  const { startText, command } = typed(MEMORY_SETTINGS, context.settings);
  const known = context.knownProject();
  const seen = seenFrom(known, context.env);
  if (command !== "") return withProgram(command, known.name, context);
  if (seen === undefined) return {};
  if (startText === "full")
    return withMemory(context, (memory) => fullAnswer(ownEngine(memory, seen), known.name, context));
  const list = await withMemory(context, (memory) => listForStart(memory, seen, toldIn(context.memo)));
  if (list.length === 0) return {};
  return {
    sections: [listSection(list)],
    remember: (memo) => ({ ...(isRecord(memo) ? memo : {}), told: list.map(({ uri }) => uri) }),
  };
}

/** The notes that this session was told of at its start. */
function toldIn(memo: unknown): readonly string[] {
  const told = isRecord(memo) ? memo["told"] : undefined;
  return Array.isArray(told) ? told.filter((uri) => typeof uri === "string").slice(0, MAX_TOLD) : [];
}

function listSection(lines: readonly StartLine[]): Section {
  const reason = "notes of this project: the most useful first, by use, age and what they say";
  const items = lines.map(({ uri, text }, i) => ({ key: uri, name: uri, text, reason, priority: -i }));
  const title = "Project notes (read_memory by title)";
  return {
    ...section(title, items, priorityOf("notes at a start")),
    layout: "lines",
    isChoice: true,
    summary: (delivered) => count(delivered, "note"),
  };
}

/** Few people have such a program, and the code that starts processes takes time to load. */
async function withProgram(command: string, project: string, context: SourceContext): Promise<Answer> {
  const { env, home, report } = context;
  const { startText, commandTimeoutMs: timeoutMs } = typed(MEMORY_SETTINGS, context.settings);
  const { externalEngine } = await import("../external/external-engine.ts");
  const warn = dailyWarning(homeAt(home), "memory-command", Date.now(), report);
  const engine = externalEngine({ command, env, timeoutMs, warn });
  if (startText === "full") return fullAnswer(engine, project, context);
  const found = await findForStart(engine, startOptions(project, 0, context));
  const lines = pointers(found);
  return lines.length === 0 ? {} : { sections: [listSection(lines)] };
}

/** The full text was turned on by the user, so it may exceed the aim of a snapshot. */
async function fullAnswer(engine: MemoryEngine, project: string, context: SourceContext): Promise<Answer> {
  const limit = typed(MEMORY_SETTINGS, context.settings).startTokens - FRAME_TOKENS;
  if (limit <= 0) return {};
  const found = await findForStart(engine, startOptions(project, limit, context));
  const text = fullText(found, limit);
  if (text === "") return {};
  const item = { key: "full", name: "knowledge graph", text, reason: "session start", priority: 0 };
  return {
    sections: [
      {
        ...section("Memory", [item], priorityOf("notes at a start")),
        essential: true,
        summary: () => count(found.notes.length, "note"),
      },
    ],
  };
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

function section(title: string, items: readonly Item[], priority: number): Section {
  return { source: "memory", title, nature: "reference", priority, essential: false, items };
}

/** Enough for a few parts. */
const VECTORS_MS = 100;

/** The agent is idle: time to sync the notes, and to make vectors that are pending. */
export async function atIdle(context: SourceContext): Promise<void> {
  const { signal, deadlineMs, readOnly } = context;
  const sliceMs = Math.min(VECTORS_MS, deadlineMs * CATCH_UP_SHARE);
  await withMemory(
    context,
    async (memory) => {
      if (!readOnly) await memory.refreshVectors({ sliceMs, signal });
    },
    true,
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

/** A hook runs without V8's optimising compilers (`entries/bin.ts`). Indexing many notes takes long enough for one. */
function optimise({ isOwnProcess }: SourceContext): void {
  if (isOwnProcess !== true || process.versions["bun"] !== undefined) return;
  process.getBuiltinModule("node:v8").setFlagsFromString("--opt");
}

/**
 * A short sync; if it finds notes to read and does not finish, a longer one. Before a query it finds new notes and changes
 * of the newest ones; the scan of all others is left to idle moments, when nobody waits.
 */
async function catchUp(memory: Memory, context: SourceContext, isScan: boolean): Promise<void> {
  const { signal, deadlineMs } = context;
  const until = Date.now() + deadlineMs * CATCH_UP_SHARE;
  let sliceMs = HOOK_SYNC_MS;
  for (;;) {
    const { isComplete, put } = await memory.sync({ sliceMs, signal, isScan });
    sliceMs = until - Date.now();
    if (isComplete || sliceMs <= 0 || signal.aborted) return;
    // Nothing to read was found in time. On a slow machine that says nothing about an index that has no notes yet.
    if (put === 0 && !memory.indexes().some(isEmpty)) return;
    optimise(context);
  }
}

function isEmpty({ db }: MemoryIndex): boolean {
  return db.get("SELECT 1 FROM note LIMIT 1") === undefined;
}

async function withMemory<T>(
  context: SourceContext,
  work: (memory: Memory) => Promise<T>,
  isScan = false,
): Promise<T> {
  const { env, settings, home, signal } = context;
  const memory = openMemory({
    home: homeAt(home),
    env,
    settings,
    isHook: true,
    // One sync for all queries of a moment.
    syncMs: 0,
    busyTimeoutMs: BUSY_MS,
    signal,
  });
  try {
    // Also for a preview: the index is derived, and a preview shows the notes as they are now.
    await catchUp(memory, context, isScan);
    return await work(memory);
  } finally {
    memory.close();
  }
}
