import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { unique } from "../../base/fingerprint.ts";
import { isRecord } from "../../base/json.ts";
import type { AskUser, Form, FormAnswers } from "../../moments/ports/form.ts";

/** How long the user may take for one form. */
const FORM_MS = 5 * 60_000;

/** Clients give up on a request after ten rounds. The user continues with the same command. */
const MAX_ROUNDS = 8;

/** The most requests that wait for a form. A client has one screen, so with more it never answers. */
const MAX_SUSPENDED = 8;

/** Forms that the client shows to its user while a request is answered (MCP elicitation). */
interface Forms {
  /**
   * `work` receives a function for asking, if the client supports forms. The result may be a form that the client must
   * show first.
   */
  run<T>(
    server: Server,
    context: ServerContext,
    work: (ask: AskUser | undefined) => Promise<T>,
  ): Promise<T | InputRequiredResult>;
}

/**
 * In the 2025 protocol the server sends requests to the client. In that of 2026 the answer to a request contains the
 * question, and the client repeats the request with the user's answer; the work is suspended in between.
 */
export function createForms(formMs = FORM_MS): Forms {
  const suspended = new Map<string, Suspended<unknown>>();

  async function nextOf<T>(work: Suspended<T>): Promise<T | InputRequiredResult> {
    const next = await work.next();
    if ("value" in next) return next.value;
    const token = unique();
    suspended.set(token, work);
    const timer = setTimeout(() => {
      if (suspended.delete(token)) work.answer(undefined);
    }, formMs);
    timer.unref();
    const [oldest] = suspended.keys();
    if (suspended.size > MAX_SUSPENDED && oldest !== undefined) {
      suspended.get(oldest)?.answer(undefined);
      suspended.delete(oldest);
    }
    const request = inputRequired.elicit(paramsOf(next.form));
    return inputRequired({ inputRequests: { [FORM]: request }, requestState: token });
  }

  return {
    async run<T>(server: Server, context: ServerContext, work: (ask: AskUser | undefined) => Promise<T>) {
      const { mcpReq } = context;
      const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
      const introduced = envelope?.[CLIENT_CAPABILITIES_META_KEY];
      if (introduced === undefined) {
        const hasForms = showsForms(server.getClientCapabilities());
        return work(hasForms ? (form) => askNow(context, form, formMs) : undefined);
      }
      if (!showsForms(introduced)) return work(undefined);
      const token = mcpReq.requestState();
      const before =
        typeof token === "string" ? (suspended.get(token) as Suspended<T> | undefined) : undefined;
      if (before === undefined || typeof token !== "string") return nextOf(suspend(work));
      suspended.delete(token);
      before.answer(mcpReq.inputResponses?.[FORM]);
      return nextOf(before);
    },
  };
}

const FORM = "form";

async function askNow({ mcpReq }: ServerContext, form: Form, ms: number): Promise<FormAnswers | undefined> {
  try {
    const params = { mode: "form" as const, ...paramsOf(form) };
    const request = { method: "elicitation/create" as const, params };
    return answersIn(await mcpReq.send(request, { timeout: ms, signal: mcpReq.signal }), form);
  } catch {
    return undefined; // the client has no forms after all, or its user did not answer in time: nothing is decided
  }
}

/** Work that stops at each form until the client has returned the answer. */
interface Suspended<T> {
  next(): Promise<{ readonly form: Form } | { readonly value: T }>;
  /** `given`: what the client sent; anything but an accepted form counts as cancelled. */
  answer(given: unknown): void;
}

function suspend<T>(work: (ask: AskUser) => Promise<T>): Suspended<T> {
  let asked = Promise.withResolvers<Form>();
  let answered: ((given: unknown) => void) | undefined;
  let rounds = 0;
  const done = work(async (form) => {
    if (++rounds > MAX_ROUNDS) return undefined;
    return new Promise((resolve) => {
      answered = (given) => resolve(answersIn(given, form));
      asked.resolve(form);
    });
  });
  return {
    next: () => Promise.race([asked.promise.then((form) => ({ form })), done.then((value) => ({ value }))]),
    answer(given) {
      asked = Promise.withResolvers();
      answered?.(given);
    },
  };
}

function showsForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined;
  // Without a mode the client means forms: before 2025-11-25 there was nothing else.
  return isRecord(elicitation) && (isRecord(elicitation["form"]) || elicitation["url"] === undefined);
}

/** Plain enums only: clients before 2025-11-25 know no others. */
function paramsOf({ message, fields }: Form) {
  const properties = fields.map(({ name, title, choices, value }) => [
    name,
    {
      type: "string" as const,
      title,
      ...(choices === undefined ? {} : { enum: [...choices] }),
      ...(value === undefined ? {} : { default: value }),
    },
  ]);
  const required = fields.filter(({ value }) => value === undefined).map(({ name }) => name);
  return {
    message,
    requestedSchema: { type: "object" as const, properties: Object.fromEntries(properties), required },
  };
}

/** Clients do not validate: an answer that does not fit the form counts as cancelled. */
function answersIn(given: unknown, { fields }: Form): FormAnswers | undefined {
  if (!isRecord(given) || given["action"] !== "accept" || !isRecord(given["content"])) return undefined;
  const answers: Record<string, string> = {};
  for (const { name, choices, value } of fields) {
    const answer = given["content"][name] ?? value;
    if (typeof answer !== "string" || answer.length > MAX_ANSWER) return undefined;
    if (choices !== undefined && !choices.includes(answer)) return undefined;
    answers[name] = answer;
  }
  return answers;
}

/** Long enough for a learning, which is one sentence. */
const MAX_ANSWER = 10_000;
