import { ContinuoError } from "../base/errors.ts";
import { parseBounded } from "../base/json.ts";
import type { LanguageModel, ModelRequest, ModelUsage } from "./language-model.ts";

/** One request and its outcome. Each request costs money, so each is reported. */
export interface Attempt {
  readonly model: string;
  readonly usage?: ModelUsage;
  /** Absent if the answer was accepted. */
  readonly error?: string;
}

interface JsonRequest<T> extends ModelRequest {
  /** Returns the parsed answer, or a text that says what is wrong with the answer. */
  readonly read: (value: unknown) => T | string;
  /** Called before each request; the first number is 1. */
  readonly onAsk?: (number: number) => void;
  readonly onAttempt?: (attempt: Attempt, number: number) => void;
}

const MAX_ATTEMPTS = 3;
/** How many characters of a wrong answer are quoted back to the model. */
const MAX_SHOWN = 4_000;

/**
 * Asks for JSON. If the answer is not valid JSON of the right form, the model is asked up to twice more; a failed
 * request is not retried.
 */
export async function askForJson<T>(model: LanguageModel, asked: JsonRequest<T>): Promise<T> {
  const { read, onAsk, onAttempt = () => undefined, ...request } = asked;
  let { prompt } = request;
  let wrong = "";
  for (let number = 1; number <= MAX_ATTEMPTS; number++) {
    onAsk?.(number);
    const reply = await model.complete({ ...request, prompt }).catch((error: unknown) => {
      onAttempt({ model: model.key, error: messageOf(error) }, number);
      throw error;
    });
    const value = jsonIn(reply.text);
    const result = value === undefined ? "it is no JSON object" : read(value);
    const attempt = { model: model.key, ...(reply.usage && { usage: reply.usage }) };
    if (typeof result !== "string") {
      onAttempt(attempt, number);
      return result;
    }
    onAttempt({ ...attempt, error: result }, number);
    wrong = result;
    prompt = `${request.prompt}\n\nYour last answer cannot be used: ${result}. It was:\n${reply.text.slice(0, MAX_SHOWN)}\n\nAnswer again, with the JSON object only.`;
  }
  throw new ContinuoError("model-output", `${model.key} gave no usable answer three times: ${wrong}`, {
    hint: "name another model first in modelKeys",
  });
}

/** Models put JSON into fences, and add text before and after it. */
export function jsonIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (from < 0 || to < from) return undefined;
  try {
    return parseBounded(text.slice(from, to + 1)) as Record<string, unknown>;
  } catch {
    return undefined; // the caller says that there is no JSON object
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
