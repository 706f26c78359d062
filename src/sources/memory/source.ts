import { statSync } from "node:fs";
import { typed, type Values } from "../../base/settings.ts";
import type { Answer, Source, Surroundings } from "../../moments/ports/source.ts";
import type {
  CompactedMoment,
  IdleMoment,
  PromptMoment,
  ResumeMoment,
  StartMoment,
} from "../../moments/types.ts";
import { homeAt } from "../../store/home.ts";
import { findRoots } from "./notes/roots.ts";
import { MEMORY_SETTINGS, rootSettings } from "./settings.ts";

/** The user's notes: handles to those about the project when an epoch begins, and what a prompt is about after that. */
export const memory: Source = {
  name: "memory",
  answersChildren: false,
  settings: MEMORY_SETTINGS,
  patienceMs,
  // A resume is answered where nothing was delivered before, such as in a fork.
  answers: { start, resume: start, compacted: start, prompt, idle },
};

/** A start asks the program twice in a row, and hosts are told to wait this long only by who names a program. */
const MOST_PATIENCE_MS = 8_000;

function patienceMs(settings: Values): number {
  const { command, commandTimeoutMs } = typed(MEMORY_SETTINGS, settings);
  return command ? Math.min(2 * commandTimeoutMs + 500, MOST_PATIENCE_MS) : 0;
}

async function start(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  surroundings: Surroundings,
): Promise<Answer> {
  if (!hasNotes(surroundings)) return {};
  const { atStart } = await answering();
  return { sections: await atStart(moment, surroundings) };
}

async function prompt(moment: PromptMoment, surroundings: Surroundings): Promise<Answer> {
  if (!typed(MEMORY_SETTINGS, surroundings.settings).additions || !hasNotes(surroundings)) return {};
  const { atPrompt } = await answering();
  return { sections: await atPrompt(moment.prompt, surroundings) };
}

async function idle(_moment: IdleMoment, surroundings: Surroundings): Promise<Answer> {
  if (hasNotes(surroundings)) await (await answering()).atIdle(surroundings);
  return {};
}

/** The index, and SQLite with it, are read only by those who have notes: most hooks run without any. */
const answering = () => import("./answers.ts");

function hasNotes({ settings, env, home }: Surroundings): boolean {
  if (typed(MEMORY_SETTINGS, settings).command) return true;
  const { roots } = findRoots(rootSettings(settings), homeAt(home), env);
  return roots.some(({ path }) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
}
