import { statSync } from "node:fs";
import { join } from "node:path";
import { typed, type Values } from "../../../base/settings.ts";
import { isModel } from "../../../models/semantic-settings.ts";
import type { Offer } from "../../../moments/ports/offer.ts";
import type { Answer, Source, SourceContext } from "../../../moments/ports/source.ts";
import type {
  CompactedMoment,
  ExpectedStart,
  IdleMoment,
  PromptMoment,
  ResumeMoment,
  StartMoment,
} from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { findRoots } from "../files/roots.ts";
import { MEMORY_SETTINGS, rootSettings } from "../settings.ts";
import { canPrepare, listAnswer, preparedList } from "./start-section.ts";

/** The user's notes: a list of notes about the project when an epoch begins, then notes that match a prompt. */
export const memory: Source = {
  name: "memory",
  answersChildren: false,
  settings: MEMORY_SETTINGS,
  patienceMs,
  // A resume matters if nothing was delivered before, as in a fork.
  answers: { start, resume: start, compacted: start, prompt, idle },
  prepare,
};

/** A start makes two rounds of calls to the program. Hosts wait this long only if a program is configured. */
const MAX_PATIENCE_MS = 8_000;

function patienceMs(settings: Values): number {
  const { command, commandTimeoutMs } = typed(MEMORY_SETTINGS, settings);
  return command ? Math.min(2 * commandTimeoutMs + 500, MAX_PATIENCE_MS) : 0;
}

async function start(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  context: SourceContext,
): Promise<Answer> {
  const { sessionStart, additions } = typed(MEMORY_SETTINGS, context.settings);
  const hasPrompt = moment.name === "start" && moment.prompt !== undefined && additions;
  if ((!sessionStart && !hasPrompt) || !hasNotes(context)) return {};
  const list = preparedList(moment, context);
  if (list !== undefined && !hasPrompt) return listAnswer(list);
  const { atStart } = await loadAnswers();
  return atStart(moment, context, list);
}

async function prepare(start: ExpectedStart, context: SourceContext): Promise<void> {
  if (!canPrepare(context) || !hasNotes(context) || preparedList(start, context) !== undefined) return;
  await (await loadAnswers()).prepareList(start, context);
}

async function prompt(moment: PromptMoment, context: SourceContext): Promise<Answer> {
  if (!typed(MEMORY_SETTINGS, context.settings).additions || !hasNotes(context)) return {};
  const { atPrompt } = await loadAnswers();
  return { sections: await atPrompt(moment.prompt, context) };
}

async function idle(moment: IdleMoment, context: SourceContext): Promise<Answer> {
  const isShort = moment.isYoung === true && moment.endFollows === true;
  if (hasNotes(context) && !(isShort && wasLookedAtLately(moment.at, context)))
    await (await loadAnswers()).atIdle(context);
  return {};
}

/**
 * Scripts start many sessions with a single prompt. Within this time, only one of them checks all notes for changes.
 */
const LOOK_EVERY_MS = 10 * 60_000;

function wasLookedAtLately(at: number, { home, readOnly }: SourceContext): boolean {
  if (readOnly) return false;
  const stamp = join(home, "cache", "notes-looked-at");
  const since = at - (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY);
  if (since >= 0 && since < LOOK_EVERY_MS) return true;
  writeFileAtomic(stamp, "", { durable: false });
  return false;
}

/** The code of the index, with SQLite, is loaded only if there are notes: most hooks run without any. */
const loadAnswers = () => import("./memory-answers.ts");

function hasNotes({ settings, env, home }: SourceContext): boolean {
  if (typed(MEMORY_SETTINGS, settings).command) return true;
  const { roots } = findRoots(rootSettings(settings), homeAt(home), env);
  return roots.some(({ path }) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
}

export const memoryOffer: Offer = {
  source: "memory",
  jobs: [
    {
      name: "vectors of notes",
      at: "idle",
      run: async (context, { signal }) => {
        if (!isModel(typed(MEMORY_SETTINGS, context.settings).semantic)) return;
        await (await loadAnswers()).embedNotes(context, signal);
      },
    },
  ],
};
