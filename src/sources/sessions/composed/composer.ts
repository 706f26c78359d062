import { ContinuoError, describeError } from "../../../base/errors.ts";
import { withinTime } from "../../../base/within-time.ts";
import { askForJson } from "../../../models/ask-for-json.ts";
import { chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import type { LanguageModel } from "../../../models/port.ts";
import { addUsage } from "../../../models/usage-text.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { failure, recordHealth } from "../../../store/health.ts";
import { redact } from "../../../store/redact.ts";
import type { SessionAnswer } from "../ask.ts";
import type { Sessions } from "../library.ts";
import type { PastSession } from "../session.ts";
import { sessionsSettings } from "../settings.ts";
import { oneLine } from "../words-for-people.ts";
import { composedAnswer, quotesInstead } from "./composed-answer.ts";
import { materialFor } from "./material.ts";
import type { ComposeFailure, ModelCall } from "./model-call.ts";
import { promptFor, readDraft, SYSTEM } from "./request.ts";

/** A model's answer in place of the quotes; where there is none, the quotes with a note. Never throws. */
export type Composer = (
  library: Sessions,
  session: PastSession,
  question: string,
  quoted: SessionAnswer,
) => Promise<SessionAnswer>;

/** Some models think before they write, and that counts too. */
const MAX_ANSWER_TOKENS = 4_000;
const UNAVAILABLE = "model-unavailable";
/** What the model port throws, in the words of those who call query_session; anything else is a bug. */
const CODES: ReadonlyMap<string, ComposeFailure> = new Map([
  [UNAVAILABLE, "QUERY_MODEL_UNAVAILABLE"],
  ["model-down", "QUERY_TRANSPORT_FAILED"],
  ["model-output", "QUERY_INVALID_OUTPUT"],
]);

/** undefined unless the user has named a model, and lets it answer: then nothing is ever sent. */
export function composerFor(
  { home, env, now, host, signal }: Pick<ToolContext, "home" | "env" | "now" | "host" | "signal">,
  onAsking: (line: string) => void = () => undefined,
): Composer | undefined {
  const settings = sessionsSettings(home, env);
  const models = modelSettings(settings);
  if (models.modelKeys.length === 0 || !settings.modelAnswers) return undefined;
  const { answerMaxBytes: maxBytes, answerTimeoutMs: timeoutMs } = settings;

  const late = () =>
    new ContinuoError("model-down", `there was no answer within ${timeoutMs} ms altogether`, {
      hint: "raise answerTimeoutMs, or name a faster model in modelKeys",
    });

  async function usableModel(): Promise<LanguageModel> {
    const { model, problems } = await chooseModel(models, env, host?.models);
    if (model !== undefined) return model;
    throw new ContinuoError(UNAVAILABLE, `no model of modelKeys can be used here: ${problems.join("; ")}`, {
      hint: "mend modelKeys, or empty it: then quotes are all that is asked for",
    });
  }

  return async (library, session, question, quoted) => {
    const began = Date.now();
    let call: Omit<ModelCall, "latencyMs"> = { bytes: 0, truncated: false, attempts: 0 };
    const done = (): ModelCall => ({ ...call, latencyMs: Date.now() - began });
    try {
      const passages = library.allPassages(session);
      const draft = await withinTime(timeoutMs, signal, late, async (bound) => {
        const model = await usableModel();
        const material = materialFor(passages, question, maxBytes);
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
            onAsking(
              `asking ${model.key}, with ${size}${attempts === 1 ? "" : ` (attempt ${attempts} of 3)`}`,
            );
          },
          onAttempt({ usage }) {
            if (usage !== undefined) call = { ...call, usage: addUsage(usage, call.usage) };
          },
        });
      });
      return composedAnswer(session, passages, draft, done());
    } catch (error) {
      // Nobody waits any longer: nothing failed.
      if (signal?.aborted) return quoted;
      const { code: thrown, message, hint } = describeError(error);
      const code = CODES.get(thrown) ?? "UNKNOWN_QUERY_SESSION_ERROR";
      const options = { cause: error, ...(hint !== undefined && { hint }) };
      recordHealth(home.logs, failure("query_session", new ContinuoError(code, message, options), now));
      return quotesInstead(quoted, oneLine(redact(message), 300), { ...done(), code });
    }
  };
}
