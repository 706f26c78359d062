import { describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import type { Answer, PrepareContext, Source, SourceContext } from "../../../moments/ports/source.ts";
import type {
  CompactedMoment,
  EndMoment,
  ExpectedStart,
  IdleMoment,
  PromptMoment,
  StartMoment,
} from "../../../moments/types.ts";
import { preparedLeftOff } from "../left-off/prepared.ts";
import { answerWith, leftOffAgain } from "../left-off/section.ts";
import { mayRefer } from "../references.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import { withoutCalls } from "./call-limit.ts";

/**
 * Past sessions of all hosts. A new session gets the endings of its project's last sessions. When a session goes idle
 * or ends, indexes what is new in slices. When a prompt names a session with `@@`, describes that session.
 */
export const sessions: Source = {
  name: "sessions",
  answersChildren: false,
  settings: SESSIONS_SETTINGS,
  answers: { start, prompt, compacted, idle: advance, end: advance },
  prepare,
};

/**
 * If the snapshot comes with the first prompt, that prompt has no addition. Indexing can wait until the session goes
 * idle.
 */
async function start(moment: StartMoment, context: SourceContext): Promise<Answer> {
  const refers = moment.prompt !== undefined && mayRefer(moment.prompt);
  const [leftOff, references] = await Promise.all([
    leftOffAnswer(moment, context),
    refers ? referenceAnswer(moment.prompt, moment, context) : NOTHING,
  ]);
  return {
    ...references,
    ...leftOff,
    sections: [...(leftOff.sections ?? []), ...(references.sections ?? [])],
  };
}

const NOTHING: Answer = {};

/** If this fails, a reference that the user typed must still be answered. */
async function leftOffAnswer(moment: StartMoment, context: SourceContext): Promise<Answer> {
  if (typed(SESSIONS_SETTINGS, context.settings).lastSessions === 0) return NOTHING;
  try {
    const prepared = preparedLeftOff(moment, context, moment.session.id);
    if (prepared !== undefined)
      return prepared.leftOff === null ? NOTHING : answerWith(prepared.leftOff, moment.at);
    const { whereWeLeftOff } = await import("../left-off/left-off.ts");
    return await whereWeLeftOff(moment, context);
  } catch (error) {
    context.report("last-sessions-failed", describeError(error).message);
    return NOTHING;
  }
}

function compacted(moment: CompactedMoment, context: SourceContext): Answer {
  return context.memo === undefined ? {} : leftOffAgain(moment.at, context.memo);
}

/**
 * Reading the last sessions blocks a host's process for tens of milliseconds, and a prepared text is right until this
 * session continues. So while a session is in use this happens only once in a while, and always when it ends.
 */
const PREPARE_EVERY_MS = 60_000;
let last = { project: "", at: Number.NEGATIVE_INFINITY };

function isPreparedLately({ project, at }: ExpectedStart): boolean {
  const isLately = last.project === project.id && Math.abs(at - last.at) < PREPARE_EVERY_MS;
  if (!isLately) last = { project: project.id, at };
  return isLately;
}

async function prepare(start: ExpectedStart, context: PrepareContext): Promise<void> {
  // The text is right only until this session continues, so a host that waits for a process at every turn would wait
  // for nothing.
  if (context.isOwnProcess === true && context.after === "idle") return;
  if (typed(SESSIONS_SETTINGS, context.settings).lastSessions === 0) return;
  if (preparedLeftOff(start, context) !== undefined) return;
  if (context.after === "idle" && isPreparedLately(start)) return;
  const { prepareLeftOff } = await import("../left-off/left-off.ts");
  await prepareLeftOff(start, context);
}

async function prompt(moment: PromptMoment, context: SourceContext): Promise<Answer> {
  const reset = withoutCalls(context.memo);
  const answer = mayRefer(moment.prompt) ? await referenceAnswer(moment.prompt, moment, context) : {};
  return { ...answer, ...(reset !== undefined && { remember: reset }) };
}

// The index and SQLite are loaded only if they are used, because most prompts name no session.

async function referenceAnswer(
  prompt: string,
  moment: StartMoment | PromptMoment,
  context: SourceContext,
): Promise<Answer> {
  if (context.readOnly || !typed(SESSIONS_SETTINGS, context.settings).references) return {};
  const { describeReferences } = await import("../references/reference-section.ts");
  return describeReferences(prompt, moment, context);
}

async function advance(moment: IdleMoment | EndMoment, context: SourceContext): Promise<Answer> {
  // Otherwise a program that answers one prompt and ends would do this twice within a second.
  if (moment.name === "idle" && moment.isYoung === true && moment.endFollows === true) return {};
  if (context.readOnly || !typed(SESSIONS_SETTINGS, context.settings).index) return {};
  const { advanceIndex } = await import("./advance-index.ts");
  await advanceIndex(moment, context);
  return {};
}
