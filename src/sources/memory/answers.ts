import { describeError } from "../../base/errors.ts";
import { typed } from "../../base/settings.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Surroundings } from "../../moments/ports/source.ts";
import type { CompactedMoment, ResumeMoment, StartMoment } from "../../moments/types.ts";
import { dailyWarning } from "../../store/daily-warning.ts";
import { homeAt } from "../../store/home.ts";
import { additionOf, leadOf, notesFor } from "./additions.ts";
import type { MemoryEngine } from "./engine-port.ts";
import { type Memory, openMemory } from "./memory.ts";
import { ownEngine } from "./own-engine.ts";
import { findForStart, type StartFindings } from "./session-start.ts";
import { MEMORY_SETTINGS } from "./settings.ts";
import { fullText, pointers } from "./start-text.ts";

/** After rules and what the session itself keeps. */
const START_PRIORITY = 50;
const ADDITION_PRIORITY = 40;
/** A host waits: of what changed on disk only so much is looked at first. The next questions go on with it. */
const HOOK_SYNC_MS = 10;
/** An index that is found far behind, as after the first installation, is worth this share of the time there is. */
const CATCH_UP_SHARE = 0.3;
const BUSY_MS = 100;
/** A prompt looks up words, and needs a fraction of this; more means that something is wrong. */
const CALL_SHARE = 0.45;
/** What the tags around the text cost. */
const FRAME_TOKENS = 120;

export async function atStart(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  surroundings: Surroundings,
): Promise<Section[]> {
  const { sessionStart, additions } = typed(MEMORY_SETTINGS, surroundings.settings);
  const sections: Section[] = [];
  if (sessionStart) sections.push(...(await startSections(moment, surroundings)));
  // Where the snapshot comes with the first prompt there is no addition for that prompt.
  if (moment.name === "start" && moment.prompt !== undefined && additions)
    sections.push(...(await atPrompt(moment.prompt, surroundings)));
  return sections;
}

export async function atPrompt(prompt: string, surroundings: Surroundings): Promise<Section[]> {
  const items = await withMemory(surroundings, async (memory) => {
    const hits = await notesFor(memory, prompt);
    // A note that went since it was found, or that cannot be opened, takes none of the others along.
    const notes = await Promise.all(hits.map(({ uri }) => memory.peek(uri).catch(() => undefined)));
    return hits.flatMap((hit, i) => {
      const note = notes[i];
      return note === undefined ? [] : [additionOf(hit, leadOf(note.body, hit.title))];
    });
  });
  return items.length === 0 ? [] : [section("Notes on this prompt", items, ADDITION_PRIORITY)];
}

async function startSections(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  surroundings: Surroundings,
): Promise<Section[]> {
  const { signal, deadlineMs, report } = surroundings;
  const { startText, startTokens, commandTimeoutMs } = typed(MEMORY_SETTINGS, surroundings.settings);
  const isFull = startText === "full";
  const limit = isFull ? startTokens - FRAME_TOKENS : startTokens;
  if (limit <= 0) return [];
  const found = await withEngine(surroundings, (engine) =>
    findForStart(engine, {
      project: moment.project.label,
      tokenLimit: limit,
      timeoutMs: Math.min(commandTimeoutMs, Math.floor(deadlineMs * CALL_SHARE)),
      signal,
      onTrouble(tool, error) {
        const { code, message, hint } = describeError(error);
        report(code === "bug" ? "memory-call-failed" : code, `${tool}: ${message}`, hint);
      },
    }),
  );
  const items = isFull ? fullItems(found, limit) : pointerItems(found);
  return items.length === 0 ? [] : [{ ...section("Memory", items, START_PRIORITY), essential: isFull }];
}

function pointerItems(found: StartFindings): Item[] {
  return pointers(found).map((part, i) => ({ ...part, priority: -i }));
}

/** Whoever asks for the full text wants it past the aim of a snapshot. */
function fullItems(found: StartFindings, limit: number): Item[] {
  const text = fullText(found, limit);
  if (text === "") return [];
  return [{ key: "full", name: "knowledge graph", text, reason: "session start", priority: 0 }];
}

function section(title: string, items: readonly Item[], priority: number): Section {
  return { source: "memory", title, nature: "reference", priority, essential: false, items };
}

async function withEngine<T>(
  surroundings: Surroundings,
  work: (engine: MemoryEngine) => Promise<T>,
): Promise<T> {
  const { env, home, report } = surroundings;
  const { command, commandTimeoutMs: timeoutMs } = typed(MEMORY_SETTINGS, surroundings.settings);
  if (command === "") return withMemory(surroundings, (memory) => work(ownEngine(memory)));
  // Few have such a program, and what starts processes takes time to load.
  const { externalEngine } = await import("./external-engine.ts");
  const warn = dailyWarning(homeAt(home), "memory-command", Date.now(), report);
  return work(externalEngine({ command, env, timeoutMs, warn }));
}

/** The agent rests: time to read what notes there are. */
export async function atIdle(surroundings: Surroundings): Promise<void> {
  await withMemory(surroundings, async () => undefined);
}

/** A short look; where it finds notes to read and does not come to the end, a longer one. */
async function catchUp(memory: Memory, { signal, deadlineMs }: Surroundings): Promise<void> {
  const until = Date.now() + deadlineMs * CATCH_UP_SHARE;
  let sliceMs = HOOK_SYNC_MS;
  for (;;) {
    const { isComplete, put } = await memory.sync({ sliceMs, signal });
    sliceMs = until - Date.now();
    if (isComplete || put === 0 || sliceMs <= 0 || signal.aborted) return;
  }
}

async function withMemory<T>(surroundings: Surroundings, work: (memory: Memory) => Promise<T>): Promise<T> {
  const { env, settings, home, readOnly, signal } = surroundings;
  const memory = openMemory({
    home: homeAt(home),
    env,
    settings,
    // One look for all questions of a moment.
    syncMs: 0,
    busyTimeoutMs: BUSY_MS,
    signal,
    readOnly,
  });
  try {
    if (!readOnly) await catchUp(memory, surroundings);
    return await work(memory);
  } finally {
    memory.close();
  }
}
