import { describeError, isContinuoError, isSystemError } from "../../../base/errors.ts";
import { unique } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type {
  Suggestion,
  SuggestionAnswer,
  SuggestionOptions,
  Suggestions,
} from "../../../moments/ports/suggestions.ts";
import { NOT_PENDING, NOTHING_DECIDED, ONLY_QUESTIONS } from "../../../moments/review/suggestions.ts";
import type { Project } from "../../../moments/types.ts";
import { acceptDraft } from "./accept-draft.ts";
import { acceptQuestion, muteQuestion, unmute, withTrust } from "./accept-question.ts";
import { describeBreaches, describeDraft, describeQuestion } from "./describe.ts";
import { applyEdit, inverse } from "./edit-frontmatter.ts";
import { keysOf } from "./made.ts";
import type { DecidedRecord, Draft, FileChange, QuestionRecord, WaitingRecord } from "./records.ts";
import { hashOf, readRuleText, undoChange } from "./rule-file.ts";
import { changeWaiting, readWaiting, type Waiting, type WaitingDraft } from "./waiting.ts";

/** The result of a decision: the message for the user, and what is stored. */
export interface Outcome {
  readonly done: boolean;
  readonly message: string;
  readonly change?: FileChange;
  readonly muted?: string;
  readonly project?: Project;
  /** It is obsolete, so it is removed without a decision. */
  readonly isGone?: true;
  /** The draft that follows from the rule's current text. */
  readonly again?: Draft;
  readonly isAskedAgain?: true;
}

export interface Deciding {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: number;
}

const LOCK = { lockWaitMs: 10_000 };
const GONE: SuggestionAnswer = { done: false, message: NOT_PENDING };
const NOTHING: SuggestionAnswer = { done: false, message: NOTHING_DECIDED };

/** Drafts of checks, and questions about rules that are broken repeatedly. */
export function checkSuggestions(options: SuggestionOptions): Suggestions {
  const { home, env, now = Date.now, history } = options;

  async function decide(
    id: string,
    what: DecidedRecord["what"],
    carryOut: (found: WaitingDraft | QuestionRecord, deciding: Deciding) => Promise<Outcome> | Outcome,
  ): Promise<SuggestionAnswer> {
    if (findIn(readWaiting(home), id) === undefined) return GONE;
    const { answer } = await changeWaiting(
      home,
      async (waiting) => {
        const found = findIn(waiting, id);
        if (found === undefined) return { records: [], answer: GONE };
        const at = now();
        const outcome = await attempt(() => carryOut(found, { home, env, now: at }));
        const batch = `check-${unique()}`;
        const { done, message, change } = outcome;
        const records: WaitingRecord[] = done
          ? [
              decided(found, what, outcome, at, batch),
              ...(change === undefined ? [] : rehashed(waiting, change, "done", at)),
            ]
          : outcome.isGone
            ? [{ kind: "gone", at, id }]
            : outcome.again === undefined
              ? []
              : [{ kind: "draft", at, draft: outcome.again }];
        return { records, answer: { done, message, ...(done ? { batch } : {}), ...again(outcome) } };
      },
      LOCK,
    );
    return answer;
  }

  return {
    list() {
      const { drafts, questions } = readWaiting(home);
      return [...drafts.map(suggestionOf), ...questions.map(askedOf)].sort((a, b) => a.at - b.at);
    },

    accept: (id, choice = {}) =>
      decide(id, "accept", (found, deciding) =>
        "draft" in found ? acceptDraft(found.draft, choice, deciding) : acceptQuestion(found, deciding),
      ),

    reject: (id) =>
      decide(id, "reject", (found) => ({
        done: true,
        message:
          "draft" in found
            ? `Rejected the check "${describeDraft(found.draft.check)}": not suggested again`
            : `The rule "${oneLine(found.question.name)}" is still checked; you will not be asked again`,
      })),

    mute: (id) =>
      decide(id, "mute", (found, deciding) =>
        "draft" in found ? ONLY_QUESTIONS : muteQuestion(found, deciding),
      ),

    async withdraw(batch) {
      const { answer } = await changeWaiting(
        home,
        async (waiting) => {
          const chosen =
            batch === undefined ? waiting.decided.at(-1) : waiting.decided.find((one) => one.batch === batch);
          if (chosen === undefined) return { records: [], answer: NOTHING };
          const at = now();
          const outcome = await attempt(() => takeBack(chosen, { home, env, now: at }));
          const { change } = chosen;
          const records: WaitingRecord[] = outcome.done
            ? [
                { kind: "undone", at, batch: chosen.batch },
                ...(change === undefined ? [] : rehashed(waiting, change, "undone", at)),
              ]
            : [];
          return { records, answer: { done: outcome.done, message: outcome.message } };
        },
        LOCK,
      );
      return answer;
    },

    past: () =>
      readWaiting(home)
        .decided.map(({ batch, at, what, message }) => ({
          batch,
          at: new Date(at).toISOString(),
          steps: [{ what, text: oneLine(message), quote: "" }],
        }))
        .reverse(),

    async look(one) {
      if (one.kind !== "check" || one.tried !== undefined || history === undefined) return one;
      const found = findIn(readWaiting(home), one.id);
      if (found === undefined || !("draft" in found)) return one;
      const { tryDraft } = await import("./try-draft.ts");
      const tried = await tryDraft(found.draft, { history: await history(), env, now: now(), home });
      if (tried === undefined) return one;
      const records: WaitingRecord[] = tried.isCut
        ? []
        : [{ kind: "tried", at: now(), id: one.id, lines: tried.lines }];
      if (records.length > 0) await changeWaiting(home, () => ({ records }), LOCK);
      return { ...one, tried: tried.lines };
    },
  };
}

function findIn({ drafts, questions }: Waiting, id: string): WaitingDraft | QuestionRecord | undefined {
  return drafts.find(({ draft }) => draft.id === id) ?? questions.find((one) => one.id === id);
}

/** An unreadable or unwritable file is not a bug: nothing was changed, and the user is told why. */
async function attempt(work: () => Promise<Outcome> | Outcome): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!isContinuoError(error) && !isSystemError(error)) throw error;
    const { message, hint, code } = describeError(error);
    return {
      done: false,
      message: `Nothing was changed: ${message}${hint === undefined ? "" : `; ${hint}`}`,
      ...(code === "usage" ? { isAskedAgain: true } : {}),
    };
  }
}

const again = ({ isAskedAgain }: Outcome): Pick<SuggestionAnswer, "isAskedAgain"> =>
  isAskedAgain === true ? { isAskedAgain } : {};

function decided(
  found: WaitingDraft | QuestionRecord,
  what: DecidedRecord["what"],
  { message, change, muted, project }: Outcome,
  at: number,
  batch: string,
): DecidedRecord {
  return {
    kind: "decided",
    at,
    batch,
    id: "draft" in found ? found.draft.id : found.id,
    what,
    keys: what === "accept" ? [] : "draft" in found ? keysOf(found.draft) : [found.id],
    message,
    change,
    muted,
    project,
  };
}

/**
 * Other drafts that were made from the text before Continuo's own change still follow from the text after it. A draft
 * made from an even earlier text does not: the user may have changed its source.
 */
function rehashed(
  { drafts }: Waiting,
  change: FileChange,
  is: "done" | "undone",
  at: number,
): WaitingRecord[] {
  const text = change.isNew ? undefined : readRuleText(change.path);
  if (text === undefined) return [];
  const before = is === "undone" ? change.hash : hashOf(applyEdit(text, inverse(change)));
  const hash = hashOf(text);
  return drafts.flatMap(({ draft }): WaitingRecord[] =>
    draft.from.kind === "rule" && draft.from.path === change.path && draft.from.hash === before
      ? [{ kind: "draft", at, draft: { ...draft, from: { ...draft.from, hash } } }]
      : [],
  );
}

async function takeBack(
  { what, change, muted, message, project }: DecidedRecord,
  deciding: Deciding,
): Promise<Outcome> {
  // For an old decision, only the decision itself is stored.
  if (what === "accept" && change === undefined)
    return { done: false, message: "This was accepted too long ago to be undone: change the rule's file" };
  const undone =
    change === undefined ||
    (project === undefined
      ? undoChange(change)
      : await withTrust(project, deciding, () => undoChange(change)));
  if (change !== undefined && !undone)
    return { done: false, message: `${change.path} has changed since: undo it by hand` };
  if (muted !== undefined) await unmute(deciding.home, muted);
  return { done: true, message: `Undone: ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
}

function suggestionOf({ draft, at, tried }: WaitingDraft): Suggestion {
  const { id, check, sentence, from, project } = draft;
  const pattern = check.never ?? check.ran;
  const common = {
    id,
    kind: "check" as const,
    text: describeDraft(check),
    quote: oneLine(sentence),
    project: oneLine(project.label),
    byModel: false,
    ...(pattern === undefined ? {} : { pattern: oneLine(pattern) }),
    ...(tried === undefined ? {} : { tried: tried.map(oneLine) }),
  };
  if (from.kind === "rule")
    return {
      ...common,
      at,
      scope: from.scope === "global" ? "everywhere" : "project",
      isFixed: true,
      rule: { name: oneLine(from.name), path: oneLine(from.key) },
    };
  return {
    ...common,
    at: from.at ?? at,
    scope: from.scope,
    host: oneLine(from.host),
    session: oneLine(from.session),
    ...(from.turn === undefined ? {} : { turn: oneLine(from.turn) }),
  };
}

function askedOf({ id, at, question }: QuestionRecord): Suggestion {
  return {
    id,
    kind: "question",
    text: describeQuestion(question),
    tried: [describeBreaches(question)],
    scope: "project",
    isFixed: true,
    quote: "",
    project: oneLine(question.project.label),
    at,
    byModel: false,
    rule: { name: oneLine(question.name), path: oneLine(question.rule) },
  };
}
