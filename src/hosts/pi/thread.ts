import { describeError } from "../../base/errors.ts";
import { stripInjected } from "../../compose/strip.ts";
import type { Verdict } from "../../moments/ports/source.ts";
import type { Meaning } from "../port/meaning.ts";
import { recordFailure } from "../shared/follow.ts";
import { createBackground } from "../shared/in-process/background.ts";
import { createCounter, type Seat } from "../shared/in-process/offers.ts";
import type { CustomMessage, Pi, PiContext, PiEvent } from "./api.ts";
import { goesOn, prepareSummary, triggerOf } from "./compaction.ts";
import { ourMessage, readHistory, withoutOldEpochs } from "./conversation.ts";
import { openingOf } from "./opening.ts";
import { type Common, type Place, placeOf, toolMoment } from "./place.ts";
import { createPromptLine } from "./prompt-line.ts";
import { createServices } from "./services.ts";
import { createTeller, type PiParts } from "./teller.ts";
import { piTool } from "./tools.ts";

/** What happens to one session in this process; each function answers one of pi's events in pi's form. */
export type Thread = ReturnType<typeof createThread>;

export function createThread(pi: Pi, parts: PiParts) {
  const { now } = parts;
  const services = createServices(pi, parts);
  const { notes } = services;
  const { told, tell, snapshotOf } = createTeller(parts, notes.keep);
  /** Sessions that were opened in this process. */
  const begun = new Set<string>();
  /** Texts that wait for the next message of ours. */
  let waiting: string[] = [];
  const counter = createCounter({ host: "pi", ...parts });
  const seatAt = (common: Common, ctx: PiContext): Seat => ({ ...common, host: services.of(ctx) });
  const seatOf = (ctx: PiContext) => seatAt(placeOf(ctx, now()).common, ctx);
  const line = createPromptLine(pi, counter, seatOf);
  const onTrouble = (where: string, error: unknown) => recordFailure(parts.env, `pi ${where}`, error, now());
  const background = createBackground(onTrouble);
  let rested = false;

  const take = (...more: string[]): string[] => {
    const texts = [...waiting, ...more].filter((text) => text !== "");
    waiting = [];
    return texts;
  };

  /** The snapshot, if the branch lacks it. */
  async function open(event: string, { common, history }: Place, prompt: string | undefined) {
    const { id } = common.session;
    const texts = [...history.texts, ...waiting];
    let opening: ReturnType<typeof openingOf>;
    const { text } = await told(event, () => {
      opening = openingOf({ ...history, texts }, snapshotOf(common), begun.has(id));
      if (opening === undefined) return undefined;
      const moment = { ...common, name: opening };
      return {
        kind: "moment",
        moment: opening === "start" && prompt ? { ...moment, prompt: stripInjected(prompt) } : moment,
      } as Meaning;
    });
    begun.add(id);
    return { opening, text: texts.includes(text) ? "" : text };
  }

  /** Of what pi's user can mend; where nobody sees it, and of the rest, `continuo doctor` tells. */
  function warn(where: string, error: unknown): void {
    const { code, message, hint } = describeError(error);
    if (code === "bug" || !line.warn(hint === undefined ? message : `${message}; ${hint}`))
      onTrouble(where, error);
  }

  return {
    /** A prompt while pi is idle. Our message follows it. */
    async prompt(event: PiEvent, ctx: PiContext): Promise<{ message: CustomMessage } | undefined> {
      const place = placeOf(ctx, now());
      services.rests(false);
      // A turn that another extension triggers has no prompt (1.5.0).
      const prompt = typeof event["prompt"] === "string" ? event["prompt"] : undefined;
      const { opening, text } = await open("before_agent_start", place, prompt);
      // A start was told the prompt already.
      const asks = prompt !== undefined && opening !== "start";
      const addition = asks
        ? await tell("before_agent_start", { ...place.common, name: "prompt", prompt })
        : "";
      const texts = take(text, addition);
      notes.delivered("before_agent_start", texts);
      line.refresh(place.common);
      return texts.length === 0 ? undefined : { message: ourMessage(texts, place.history.compactions) };
    },

    /** A prompt while pi works: there is no other event for it. */
    async steering(event: PiEvent, ctx: PiContext): Promise<void> {
      if (ctx.isIdle() || typeof event["text"] !== "string") return;
      const { common } = placeOf(ctx, now());
      // It waits for a tool's result or the next prompt: a message of its own could cost a request of its own.
      waiting.push(await tell("input", { ...common, name: "prompt", prompt: event["text"] }));
    },

    context(event: PiEvent, ctx: PiContext): { messages: unknown[] } | undefined {
      const messages = Array.isArray(event["messages"]) ? event["messages"] : [];
      const kept = withoutOldEpochs(messages, readHistory(ctx.sessionManager.getBranch()).compactions);
      return kept && { messages: kept };
    },

    async guard(event: PiEvent, ctx: PiContext): Promise<{ block: true; reason: string } | undefined> {
      const { common } = placeOf(ctx, now());
      const { verdict } = await told("tool_call", () => ({
        kind: "guard",
        moment: toolMoment(common, event),
      }));
      if (verdict?.action !== "warn") return heed(verdict, ctx);
      waiting.push(verdict.message);
      return undefined;
    },

    async tool(event: PiEvent, ctx: PiContext): Promise<void> {
      const { common, history } = placeOf(ctx, now());
      const addition = event["isError"] === true ? "" : await tell("tool_result", toolMoment(common, event));
      const texts = take(addition);
      if (texts.length === 0) return;
      notes.delivered("tool_result", texts);
      // After the results of this turn, so it is in the next request and stays where it is. Without `triggerTurn`
      // newer versions would queue it with what the user steers, and could make a request for it alone.
      pi.sendMessage(ourMessage(texts, history.compactions), { deliverAs: "steer", triggerTurn: false });
    },

    async compacting(event: PiEvent, ctx: PiContext): Promise<void> {
      const { common, history } = placeOf(ctx, now());
      const moment = { ...common, name: "compacting" as const, trigger: triggerOf(event) };
      prepareSummary(event, await tell("session_before_compact", moment), history.compactions);
    },

    async compacted(event: PiEvent, ctx: PiContext): Promise<void> {
      const { common, history, branch } = placeOf(ctx, now());
      const moment = { ...common, name: "compacted" as const };
      const snapshot = await tell("session_compact", moment);
      waiting = snapshot === "" ? [] : [snapshot]; // it holds whatever was waiting before
      begun.add(common.session.id);
      // The interrupted turn goes on without a prompt; a queued message is in its first request.
      if (waiting.length > 0 && goesOn(event, branch)) {
        const texts = take();
        notes.delivered("session_compact", texts);
        pi.sendMessage(ourMessage(texts, history.compactions), { deliverAs: "steer" });
      }
      const { summary } = (event["compactionEntry"] ?? {}) as { summary?: unknown };
      if (typeof summary === "string")
        await told("session_compact", () => ({ kind: "summary", moment, summary }));
    },

    busy(): void {
      rested = false;
      services.rests(false);
    },

    /** Not awaited: pi 0.73.1 would hold back the end of the turn, or replace the session underneath. */
    idle(ctx: PiContext): void {
      if (rested) return;
      rested = true;
      services.rests(true);
      const { common } = placeOf(ctx, now());
      const seat = seatAt(common, ctx);
      const refresh = () => line.refresh(seat);
      background.begin("agent_end", () => tell("agent_end", { ...common, name: "idle" }));
      counter.begin("idle", seat, background, refresh);
      refresh();
    },

    async end(event: PiEvent, ctx: PiContext): Promise<void> {
      services.rests(true);
      const { common } = placeOf(ctx, now());
      const why = typeof event["reason"] === "string" ? event["reason"] : "other";
      counter.begin("end", seatAt(common, ctx), background, () => undefined);
      await background.settle(SETTLE_MS);
      services.end();
      await tell("session_shutdown", { ...common, name: "end", why });
    },

    offer(ctx: PiContext): void {
      for (const tool of parts.tools) pi.registerTool(piTool(tool, parts, services.of));
      const seat = seatOf(ctx);
      line.set(ctx, seat);
      line.refresh(seat);
      counter.begin("start", seat, createBackground(warn), () => line.refresh(seat));
    },
  };
}

/** pi awaits the end of a session, and its user with it. */
const SETTLE_MS = 5_000;

async function heed(
  verdict: Verdict | undefined,
  ctx: PiContext,
): Promise<{ block: true; reason: string } | undefined> {
  if (verdict === undefined) return undefined;
  // Without anybody to ask, the answer is no.
  const asks = verdict.action === "ask" && ctx.hasUI === true;
  const allowed = asks && (await ctx.ui.confirm("Continuo", verdict.message));
  return allowed ? undefined : { block: true, reason: verdict.message };
}
