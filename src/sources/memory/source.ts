import { statSync } from "node:fs";
import type { Values } from "../../base/settings.ts";
import type { Answer, Source, SourceContext } from "../../moments/ports/source.ts";
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
  return settings["command"] ? Math.min(2 * Number(settings["commandTimeoutMs"]) + 500, MOST_PATIENCE_MS) : 0;
}

async function start(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  context: SourceContext,
): Promise<Answer> {
  if (!hasNotes(context)) return {};
  const { atStart } = await answering();
  return { sections: await atStart(moment, context) };
}

async function prompt(moment: PromptMoment, context: SourceContext): Promise<Answer> {
  if (context.settings["additions"] === false || !hasNotes(context)) return {};
  const { atPrompt } = await answering();
  return { sections: await atPrompt(moment.prompt, context) };
}

async function idle(_moment: IdleMoment, context: SourceContext): Promise<Answer> {
  if (hasNotes(context)) await (await answering()).atIdle(context);
  return {};
}

/** The index, and SQLite with it, are read only by those who have notes: most hooks run without any. */
const answering = () => import("./answers.ts");

function hasNotes({ settings, env, home }: SourceContext): boolean {
  if (settings["command"]) return true;
  const { roots } = findRoots(rootSettings(settings), homeAt(home), env);
  return roots.some(({ path }) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
}
