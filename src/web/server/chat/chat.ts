import { randomUUID } from "node:crypto";
import { ContinuoError, describeError, isContinuoError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import type { ChatListener, ChatSession, ChatStep, TurnPiece } from "../../../moments/ports/chat.ts";
import type { ChatChange, ChatRest, ChatState, QueuedMessage, TurnChange } from "../../api/chat.ts";
import type { KnownProject } from "../../api/projects.ts";
import { createAsked, type Decision } from "./asked.ts";
import { createLiveTurns } from "./live-turns.ts";

/** How long to collect an answer's pieces before sending them: a model may send hundreds a second. */
const PIECES_MS = 25;
const MAX_QUEUE = 20;
const MAX_SEEN = 200;
export const MAX_PROMPT = 400_000;

export interface ChatOptions {
  readonly project: KnownProject;
  readonly model: string;
  readonly name: string;
  readonly wasResumed: boolean;
  readonly now: () => number;
  readonly publish: (id: string, change: ChatChange) => void;
  /** Opens the session, at first and again after the runtime ended. */
  readonly open: (listener: ChatListener, id: string | undefined) => Promise<ChatSession>;
  /** Called after a message was sent: the session is on disk. */
  readonly onSaid: (id: string) => void;
  /** Called when the agent has finished a turn. */
  readonly onIdle: (id: string) => void;
  /** Called when the agent's process ended while it worked. */
  readonly onBroken: (id: string) => void;
  readonly answerMs?: number;
}

/** A conversation that runs in this server. All tabs show the same one. */
export interface Chat {
  readonly id: string;
  readonly state: () => ChatState;
  send(text: string, key: string): Promise<void>;
  /** Stops the agent. Returns the queued messages, which were not sent. */
  stop(): Promise<readonly string[]>;
  decide(request: string, decision: Decision): void;
  answer(question: string, text: string): void;
  rename(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function openChat(options: ChatOptions, resume?: string): Promise<Chat> {
  const { now, publish, project, model, wasResumed } = options;
  const run = randomUUID().slice(0, 8);
  const turns = createLiveTurns(now);
  const asked = createAsked(now, () => publishState(), options.answerMs);
  const seen = new Set<string>();
  let session: ChatSession | undefined;
  let id = resume ?? "";
  let name = options.name;
  let status: ChatState["status"] = "idle";
  let queue: readonly QueuedMessage[] = [];
  let at = now();
  let seq = 0;
  let usage: ChatState["usage"] = { input: 0, output: 0, cacheRead: 0, cost: 0, calls: 0 };
  let pieces: TurnPiece | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Counts stops: a stop while the session is being opened must prevent the message from being sent. */
  let stops = 0;

  function emit(change: TurnChange | { readonly kind: "state"; readonly state: ChatRest }): void {
    seq += 1;
    if (id !== "") publish(id, { ...change, run, seq });
  }
  function flush(): void {
    clearTimeout(timer);
    const waiting = pieces;
    pieces = undefined;
    if (waiting !== undefined) emit(waiting);
  }
  function show(changes: readonly TurnChange[]): void {
    for (const change of changes) {
      if (change.kind !== "piece" || change.id !== pieces?.id) flush();
      if (change.kind !== "piece") {
        emit(change);
        continue;
      }
      if (pieces === undefined) timer = setTimeout(flush, PIECES_MS);
      const { text, thinking } = pieces ?? { text: "", thinking: "" };
      pieces = { ...change, text: text + change.text, thinking: thinking + change.thinking };
    }
  }
  function rest(): ChatRest {
    return {
      id,
      host: "copilot",
      name,
      project,
      status,
      at,
      model,
      wasResumed,
      hasEarlier: turns.hasEarlier(),
      queue,
      requests: asked.permissions(),
      questions: asked.questions(),
      usage,
    };
  }
  function publishState(): void {
    flush();
    emit({ kind: "state", state: rest() });
  }

  function onStep(step: ChatStep): void {
    at = now();
    switch (step.kind) {
      case "title":
        name ||= step.text.slice(0, 200);
        publishState();
        return;
      case "usage": {
        const { input, output, cacheRead, cost } = step.usage;
        usage = {
          input: usage.input + input,
          output: usage.output + output,
          cacheRead: usage.cacheRead + cacheRead,
          cost: usage.cost + cost,
          calls: usage.calls + 1,
        };
        publishState();
        return;
      }
      case "idle":
        onIdle(step.isAborted);
        return;
      default:
        show(turns.apply(step));
        if (step.kind === "turn" && step.turn.role === "user") options.onSaid(id);
    }
  }
  function onIdle(isAborted: boolean): void {
    show(turns.settle());
    if (isAborted) show(turns.add({ role: "other", mark: "stopped" }));
    asked.dismiss();
    status = "idle";
    publishState();
    options.onIdle(id);
    void sendNext();
  }
  /** Queued messages are not sent on their own: what they refer to did not arrive. */
  function fail(message: string, hint: string): void {
    const waiting =
      queue.length === 0 ? "" : `${count(queue.length, "message")} in the queue: sent before your next one.`;
    const text = `${message}\n\n${[hint, waiting].filter((one) => one !== "").join(" ")}`;
    show(turns.add({ role: "other", text, mark: "error" }));
  }
  function onGone(why: "idle" | "failed"): void {
    session = undefined;
    asked.dismiss();
    const wasWorking = status === "working";
    status = "asleep";
    show(turns.settle(why === "failed"));
    if (wasWorking) options.onBroken(id);
    if (why === "failed" && wasWorking)
      fail("The Copilot runtime ended unexpectedly.", "Send a message to resume the session.");
    publishState();
  }
  const listener: ChatListener = {
    onStep,
    onGone,
    onPermission: (request) => asked.permission(request),
    onQuestion: (question) => asked.question(question),
  };

  async function sendNext(): Promise<void> {
    const [next, ...others] = queue;
    if (next === undefined || status === "working") return;
    queue = others;
    status = "working";
    publishState();
    const before = stops;
    try {
      session ??= await options.open(listener, id);
      if (stops === before) return await session.send(next.text);
      status = "idle";
      show(turns.add({ role: "user", text: next.text }));
      show(turns.add({ role: "other", mark: "stopped" }));
      publishState();
    } catch (error) {
      status = session === undefined ? "asleep" : "idle";
      const { message, hint = "" } = describeError(error);
      show(turns.add({ role: "user", text: next.text }));
      if (isContinuoError(error)) fail(message, hint);
      else fail("The message could not be sent.", "Send it again.");
      publishState();
    }
  }

  session = await options.open(listener, resume);
  id = session.id;
  if (resume !== undefined) {
    for (const step of await session.history())
      if (step.kind === "turn" || step.kind === "begin" || step.kind === "piece") turns.apply(step);
    turns.settle();
    turns.add({ role: "other", mark: "resumed" });
  }

  return {
    get id() {
      return id;
    },
    state() {
      flush();
      return { ...rest(), run, seq, turns: turns.all() };
    },
    async send(text, key) {
      // A page that got no answer sends the message again.
      if (seen.has(key)) return;
      if (text.length > MAX_PROMPT)
        throw new ContinuoError("prompt-too-long", `a message has at most ${MAX_PROMPT} characters`, {
          hint: "Put the text into a file of the project and name the file.",
        });
      if (queue.length >= MAX_QUEUE)
        throw new ContinuoError("chat-queue-full", `${MAX_QUEUE} messages are waiting already`, {
          hint: "Wait until the agent is idle, or stop it.",
        });
      seen.add(key);
      if (seen.size > MAX_SEEN) seen.delete([...seen][0] ?? "");
      queue = [...queue, { key, text }];
      at = now();
      if (status === "working") publishState();
      else await sendNext();
    },
    async stop() {
      const waiting = queue.map(({ text }) => text);
      queue = [];
      stops += 1;
      publishState();
      asked.dismiss();
      try {
        if (status === "working") await session?.abort();
      } catch {
        // The runtime has ended, so there is nothing left to stop.
      }
      return waiting;
    },
    decide: (request, decision) => asked.decide(request, decision),
    answer: (question, text) => asked.answer(question, text),
    async rename(to) {
      name = to;
      await session?.rename(to);
      publishState();
    },
    async close() {
      flush();
      asked.dismiss();
      const open = session;
      session = undefined;
      await open?.close();
    },
  };
}
