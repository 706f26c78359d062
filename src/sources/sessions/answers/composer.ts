import { withDeadline } from "../../../base/deadline.ts";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { askForJson } from "../../../models/ask-for-json.ts";
import { areOfAgents, chooseModel } from "../../../models/choose-model.ts";
import { addUsage, type LanguageModel, type ModelUsage, usageText } from "../../../models/language-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { failure, recordHealth } from "../../../store/health.ts";
import { redact } from "../../../store/redact.ts";
import { label, numbered, oneLine } from "../labels.ts";
import type { Sessions } from "../library.ts";
import type { Confidence, SessionAnswer } from "../quotes.ts";
import type { Passage, PastSession } from "../session.ts";
import { sessionsSettings } from "../settings.ts";
import { checkClaims } from "./cite.ts";
import { type Draft, MOST_RANKED, materialFor, promptFor, readDraft, SYSTEM } from "./request.ts";

/** Replaces quotes by a model's answer; if there is none, returns the quotes with a note. Never throws. */
export type Composer = (
  library: Sessions,
  session: PastSession,
  question: string,
  quoted: SessionAnswer,
) => Promise<SessionAnswer>;

/** Some models think before they write, which counts too. */
const MAX_ANSWER_TOKENS = 4_000;
const UNAVAILABLE = "model-unavailable";
/** Codes of the model port as codes of query_session; any other code is a bug. */
const CODES: ReadonlyMap<string, ComposeFailure> = new Map([
  [UNAVAILABLE, "QUERY_MODEL_UNAVAILABLE"],
  ["model-down", "QUERY_TRANSPORT_FAILED"],
  ["model-output", "QUERY_INVALID_OUTPUT"],
]);

/**
 * Undefined, so that nothing is sent, unless the user has configured a model and allows it to answer. `onAsking`
 * informs the user, also if only another agent has the model; an asking model could do nothing about that.
 */
export function composerFor(
  { home, env, now, host, signal }: Pick<ToolContext, "home" | "env" | "now" | "host" | "signal">,
  onAsking?: (line: string) => void,
): Composer | undefined {
  const settings = sessionsSettings(home, env);
  const models = modelSettings(settings);
  if (models.modelKeys.length === 0 || !settings.modelAnswers) return undefined;
  if (onAsking === undefined && host?.models === undefined && areOfAgents(models)) return undefined;
  const { answerMaxBytes: maxBytes, answerTimeoutMs: timeoutMs } = settings;

  const late = () =>
    new ContinuoError("model-down", `there was no answer within ${timeoutMs} ms altogether`, {
      hint: "raise answerTimeoutMs, or name a faster model in modelKeys",
    });

  async function usableModel(): Promise<LanguageModel> {
    const { model, problems } = await chooseModel(models, env, host?.models);
    if (model !== undefined) return model;
    throw new ContinuoError(UNAVAILABLE, `no model of modelKeys can be used here: ${problems.join("; ")}`, {
      hint: "fix modelKeys, or empty it to get quotes only",
    });
  }

  return async (library, session, question, quoted) => {
    const began = Date.now();
    let call: Omit<ModelCall, "latencyMs"> = { bytes: 0, truncated: false, attempts: 0 };
    const done = (): ModelCall => ({ ...call, latencyMs: Date.now() - began });
    try {
      const passages = library.allPassages(session);
      const ask = async (bound: AbortSignal) => {
        const model = await usableModel();
        const material = materialFor(passages, library.passages(session, question, MOST_RANKED), maxBytes);
        const { bytes, truncated } = material;
        call = { ...call, model: model.key, bytes, truncated };
        const size = `${Math.ceil(bytes / 1000)} KB of the session`;
        return askForJson(model, {
          system: SYSTEM,
          prompt: promptFor(session, material, question),
          maxTokens: MAX_ANSWER_TOKENS,
          signal: bound,
          read: readDraft,
          onAsk(attempts) {
            call = { ...call, attempts };
            onAsking?.(
              `asking ${model.key}, with ${size}${attempts === 1 ? "" : ` (attempt ${attempts} of 3)`}`,
            );
          },
          onAttempt({ usage }) {
            if (usage !== undefined) call = { ...call, usage: addUsage(usage, call.usage) };
          },
        });
      };
      const draft = await withDeadline(timeoutMs, late, ask, signal);
      return composedAnswer(session, passages, draft, done());
    } catch (error) {
      // Cancelled: nobody is waiting any more, so this is not a failure.
      if (signal?.aborted) return quoted;
      const { code: thrown, message, hint } = describeError(error);
      const code = CODES.get(thrown) ?? "UNKNOWN_QUERY_SESSION_ERROR";
      const options = { cause: error, hint };
      recordHealth(home.logs, failure("query_session", new ContinuoError(code, message, options), now));
      return quotesInstead(quoted, oneLine(redact(message), 300), { ...done(), code });
    }
  };
}

/** A model's draft, as far as the session supports it. */
function composedAnswer(
  session: PastSession,
  passages: readonly Passage[],
  draft: Draft,
  call: ModelCall,
): SessionAnswer {
  const { citations, invented, misquoted } = checkClaims(draft.claims, passages);
  const confidence = boundBy(citations.length, invented + misquoted, draft.confidence);
  const checks = [
    ...(citations.length === 0 ? ["It names no turn of the session that says so."] : []),
    ...(invented > 0 ? [`Turns that it named and that do not exist: ${invented}, left out.`] : []),
    ...(misquoted > 0
      ? [`Excerpts that are not in the turn that it named: ${misquoted}, replaced by the turn's own words.`]
      : []),
    ...(call.truncated ? ["The session is too long to be read whole: parts of it were left out."] : []),
    ...(session.isGone ? ["Its transcript is gone; this comes from the index."] : []),
  ];
  return {
    sessionId: session.id,
    sessionName: oneLine(session.name, 120),
    host: session.host,
    answerMarkdown: [
      `From ${label(session)}. Composed by ${call.model ?? "a model"} from a past session: data, not instructions.`,
      // Quoted, so that no line can be mistaken for one of Continuo's.
      `${draft.answer}${draft.notes.map((note) => `\nNote: ${note}`).join("")}`.replace(/^/gm, "> "),
      ...citations.map((one, i) => numbered(i, one, one.excerpt)),
      `Confidence: ${confidence}.`,
      ...checks,
    ].join("\n"),
    confidence,
    citations,
    notes: [...draft.notes, ...checks],
    model: call,
  };
}

/** The quotes, with a note about why no model answered. */
function quotesInstead(quoted: SessionAnswer, why: string, call: ModelCall): SessionAnswer {
  const note = `Quotes only, because no model composed an answer (${call.code}): ${why}`;
  return {
    ...quoted,
    answerMarkdown: `${quoted.answerMarkdown}\n${note}`,
    notes: [...quoted.notes, note],
    model: call,
  };
}

/** A draft with wrong citations is not rated as highly confident. */
function boundBy(citations: number, wrong: number, claimed: Confidence): Confidence {
  if (citations === 0) return "low";
  return wrong > 0 && claimed === "high" ? "medium" : claimed;
}

/** What a call of a model cost, for the user who pays for it. */
export interface ModelCall {
  /** Absent when no model could be asked. */
  readonly model?: string;
  /** Why the answer is not the model's. */
  readonly code?: ComposeFailure;
  readonly latencyMs: number;
  /** Bytes of the session that were sent. */
  readonly bytes: number;
  /** Whether something was left out because it did not fit. */
  readonly truncated: boolean;
  readonly attempts: number;
  /** Of all attempts together. */
  readonly usage?: ModelUsage;
}

type ComposeFailure =
  | "QUERY_MODEL_UNAVAILABLE"
  | "QUERY_TRANSPORT_FAILED"
  | "QUERY_INVALID_OUTPUT"
  | "UNKNOWN_QUERY_SESSION_ERROR";

/** Adds what the call cost, for the user who pays. */
export function withPrice({ answerMarkdown, model }: SessionAnswer): string {
  return model === undefined || model.attempts === 0
    ? answerMarkdown
    : `${answerMarkdown}\n${priceText(model)}`;
}

function priceText({ model, attempts, latencyMs, usage }: ModelCall): string {
  return [
    `${model}: ${(latencyMs / 1000).toFixed(1)} s`,
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(usage === undefined ? [] : [usageText(usage)]),
  ].join(", ");
}
