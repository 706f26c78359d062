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
 * Past sessions of all hosts. A new session is told how the last ones of its project ended. Extends the index a slice at
 * a time when a session goes idle or ends, and describes a session when a prompt names it with `@@`.
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

/** A reference that the user typed must be answered even if this fails. */
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
 * Reading the last sessions blocks a host's process for tens of milliseconds, and what is prepared is right until this
 * session goes on. So while a session is in use it is prepared once in a while, and in any case when it ends.
 */
const PREPARE_EVERY_MS = 60_000;
let last = { project: "", at: Number.NEGATIVE_INFINITY };

function isPreparedLately({ project, at }: ExpectedStart): boolean {
  const isLately = last.project === project.id && Math.abs(at - last.at) < PREPARE_EVERY_MS;
  if (!isLately) last = { project: project.id, at };
  return isLately;
}

async function prepare(start: ExpectedStart, context: PrepareContext): Promise<void> {
  // Right until this session goes on. A host that waits for a process at every turn would wait in vain.
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

// The index and SQLite are loaded only when they are used: most prompts name no session.

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
  // A program that answers one prompt and ends would do it twice within a second.
  if (moment.name === "idle" && moment.isYoung === true && moment.endFollows === true) return {};
  if (context.readOnly || !typed(SESSIONS_SETTINGS, context.settings).index) return {};
  const { advanceIndex } = await import("./advance-index.ts");
  await advanceIndex(moment, context);
  return {};
}
