import { ContinuoError } from "../base/errors.ts";
import { parseBounded } from "../base/json.ts";
import type { LanguageModel, ModelRequest, ModelUsage } from "./language-model.ts";

/** One request and what came of it: each is paid for, so each is told. */
export interface Attempt {
  readonly model: string;
  readonly usage?: ModelUsage;
  /** Absent when the answer was taken. */
  readonly error?: string;
}

export interface Asking<T> extends ModelRequest {
  /** What the answer means; a text says what is wrong with it. */
  readonly read: (value: unknown) => T | string;
  /** Before each request; the first is 1. */
  readonly onAsk?: (number: number) => void;
  readonly onAttempt?: (attempt: Attempt, number: number) => void;
}

const MOST_ATTEMPTS = 3;
/** Of a wrong answer, shown to the model again. */
const LONGEST_SHOWN = 4_000;

/** Asks for JSON. An answer that is none, or not what is wanted, is asked for twice more; a failed request is not. */
export async function askForJson<T>(model: LanguageModel, asking: Asking<T>): Promise<T> {
  const { read, onAsk, onAttempt = () => undefined, ...request } = asking;
  let { prompt } = request;
  let wrong = "";
  for (let number = 1; number <= MOST_ATTEMPTS; number++) {
    onAsk?.(number);
    const reply = await model.complete({ ...request, prompt }).catch((error: unknown) => {
      onAttempt({ model: model.key, error: messageOf(error) }, number);
      throw error;
    });
    const value = jsonIn(reply.text);
    const meant = value === undefined ? "it is no JSON object" : read(value);
    const told = { model: model.key, ...(reply.usage && { usage: reply.usage }) };
    if (typeof meant !== "string") {
      onAttempt(told, number);
      return meant;
    }
    onAttempt({ ...told, error: meant }, number);
    wrong = meant;
    prompt = `${request.prompt}\n\nYour last answer cannot be used: ${meant}. It was:\n${reply.text.slice(0, LONGEST_SHOWN)}\n\nAnswer again, with the JSON object only.`;
  }
  throw new ContinuoError("model-output", `${model.key} gave no usable answer three times: ${wrong}`, {
    hint: "name another model first in modelKeys",
  });
}

/** Models put JSON into fences, and words before and after it. */
export function jsonIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (from < 0 || to < from) return undefined;
  try {
    return parseBounded(text.slice(from, to + 1)) as Record<string, unknown>;
  } catch {
    return undefined; // what is wrong with it is told by what is missing
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
