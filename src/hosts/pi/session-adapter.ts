import { describeError, whatFailed } from "../../base/errors.ts";
import { stripInjected } from "../../compose/strip.ts";
import type { HostEvent } from "../../moments/host-event.ts";
import type { Verdict } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project/project.ts";
import type { IdleMoment } from "../../moments/types.ts";
import { createBackground } from "../shared/in-process/background.ts";
import type { InProcessBase, Parts } from "../shared/in-process/base.ts";
import { createOfferRunner, type OfferPlace } from "../shared/in-process/offers.ts";
import { planReadAhead } from "../shared/in-process/read-ahead.ts";
import { promptWithFiles } from "../shared/mentions/mentioned-files.ts";
import type { CustomMessage, Pi, PiContext, PiEvent } from "./api.ts";
import {
  answerIn,
  type Branch,
  continuesTurn,
  continuoMessage,
  openingOf,
  prepareSummary,
  readBranch,
  triggerOf,
  withoutOldEpochs,
} from "./conversation.ts";
import { promptForm } from "./prompt-form.ts";
import { createPromptLine } from "./prompt-line.ts";
import type { Services } from "./services.ts";
import { type Common, piTool, toolMoment } from "./tools.ts";

/** pi has no prompts of extensions. */
export type PiParts = Omit<Parts, "prompts">;

/** One session in this process. Each function handles one of pi's events and answers in pi's form. */
export type SessionAdapter = ReturnType<typeof createSessionAdapter>;

export function createSessionAdapter(pi: Pi, parts: PiParts, base: InProcessBase, services: Services) {
  const { now } = parts;
  const { notes } = services;
  const { follow, deliver, onFailure } = base;
  /** Sessions that were opened in this process. */
  const begun = new Set<string>();
  /** Texts to send with Continuo's next message. */
  let waiting: string[] = [];
  const runner = createOfferRunner({ host: "pi", ...parts });
  const offerPlaceAt = (common: Common, ctx: PiContext): OfferPlace => ({
    ...common,
    host: services.of(ctx),
  });
  const offerPlaceOf = (ctx: PiContext) => offerPlaceAt(placeOf(ctx, now()).common, ctx);
  const line = createPromptLine(pi, runner, offerPlaceOf);
  const background = createBackground(onFailure);
  let isIdle = false;
  let isOver = false;

  const take = (...more: string[]): string[] => {
    const texts = [...waiting, ...more].filter((text) => text !== "");
    waiting = [];
    return texts;
  };

  /**
   * Appends after the results of this turn, so the text is in the next request and keeps its place. Without
   * `triggerTurn`, newer versions would queue it together with the user's steering messages, and could make a request
   * just for it.
   */
  function append(event: string, { compactions }: Branch, ...more: string[]): void {
    const texts = take(...more);
    if (texts.length === 0) return;
    notes.delivered(event, texts);
    pi.sendMessage(continuoMessage(texts, compactions), { deliverAs: "steer", triggerTurn: false });
  }

  /** The snapshot, if the branch does not contain it. */
  async function open(event: string, { common, branch }: Place, typed: Typed | undefined) {
    const { id } = common.session;
    const texts = [...branch.texts, ...waiting];
    let opening: ReturnType<typeof openingOf>;
    const { text } = await follow(event, () => {
      const snapshot = base.stateOf(common.session).read()?.snapshot;
      opening = openingOf({ ...branch, texts }, snapshot, begun.has(id));
      if (opening === undefined) return undefined;
      const isInPlace = opening === "resume" && texts.includes(snapshot?.text ?? "");
      const moment = { ...common, name: opening, ...(isInPlace ? { isInPlace } : {}) };
      return {
        kind: "moment",
        moment:
          opening === "start" && typed?.prompt
            ? { ...moment, ...typed, prompt: stripInjected(typed.prompt) }
            : moment,
      } as HostEvent;
    });
    begun.add(id);
    return { opening, text: texts.includes(text) ? "" : text };
  }

  /** Shows what pi's user can fix. Everything else, and what could not be shown, is recorded for `continuo doctor`. */
  function warn(where: string, error: unknown): void {
    const text = `Continuo: ${whatFailed(error)}`;
    if (describeError(error).code === "bug" || !line.tell(text, "warning")) onFailure(where, error);
  }

  return {
    /** A prompt while pi is idle. Continuo's message follows it. */
    async prompt(event: PiEvent, ctx: PiContext): Promise<{ message: CustomMessage } | undefined> {
      const place = placeOf(ctx, now());
      services.setIdle(false);
      // A turn triggered by another extension has no prompt (1.5.0).
      const typed = typeof event["prompt"] === "string" ? typedAt(event["prompt"], place.common) : undefined;
      const { opening, text } = await open("before_agent_start", place, typed);
      // A start has already received the prompt.
      const addition =
        typed !== undefined && opening !== "start"
          ? await deliver("before_agent_start", { ...place.common, name: "prompt", ...typed })
          : "";
      const texts = take(text, addition);
      notes.delivered("before_agent_start", texts);
      line.refresh(place.common);
      return texts.length === 0 ? undefined : { message: continuoMessage(texts, place.branch.compactions) };
    },

    /** A prompt while pi works, which has no other event. */
    async steering(event: PiEvent, ctx: PiContext, appends: boolean): Promise<void> {
      if (ctx.isIdle() || typeof event["text"] !== "string") return;
      const { common, branch } = placeOf(ctx, now());
      waiting.push(await deliver("input", { ...common, name: "prompt", ...typedAt(event["text"], common) }));
      // pi delivers the user's text after the running turn, and Continuo's right before it. A version that would treat
      // Continuo's as another steered message, which could cost a request, delivers it with a tool's result or the next
      // prompt.
      if (appends) append("input", branch);
    },

    context(event: PiEvent, ctx: PiContext): { messages: unknown[] } | undefined {
      const messages = Array.isArray(event["messages"]) ? event["messages"] : [];
      const kept = withoutOldEpochs(messages, readBranch(ctx.sessionManager.getBranch()).compactions);
      return kept && { messages: kept };
    },

    async guard(event: PiEvent, ctx: PiContext): Promise<{ block: true; reason: string } | undefined> {
      const { common } = placeOf(ctx, now());
      const { verdict } = await follow("tool_call", () => ({
        kind: "guard",
        moment: toolMoment(common, event),
      }));
      return respect(verdict, ctx);
    },

    async tool(event: PiEvent, ctx: PiContext): Promise<void> {
      const { common, branch } = placeOf(ctx, now());
      const addition =
        event["isError"] === true ? "" : await deliver("tool_result", toolMoment(common, event));
      append("tool_result", branch, addition);
    },

    async compacting(event: PiEvent, ctx: PiContext): Promise<void> {
      const { common, branch } = placeOf(ctx, now());
      const moment = { ...common, name: "compacting" as const, trigger: triggerOf(event) };
      prepareSummary(event, await deliver("session_before_compact", moment), branch.compactions);
    },

    async compacted(event: PiEvent, ctx: PiContext): Promise<void> {
      const { common, branch, entries } = placeOf(ctx, now());
      const moment = { ...common, name: "compacted" as const };
      const snapshot = await deliver("session_compact", moment);
      waiting = snapshot === "" ? [] : [snapshot]; // contains everything that was waiting
      begun.add(common.session.id);
      // The interrupted turn continues without a prompt, and its first request includes a queued message.
      if (waiting.length > 0 && continuesTurn(event, entries)) {
        const texts = take();
        notes.delivered("session_compact", texts);
        pi.sendMessage(continuoMessage(texts, branch.compactions), { deliverAs: "steer" });
      }
      const { summary } = (event["compactionEntry"] ?? {}) as { summary?: unknown };
      if (typeof summary === "string")
        await follow("session_compact", () => ({ kind: "summary", moment, summary }));
    },

    busy(): void {
      isIdle = false;
      isOver = false;
      services.setIdle(false);
    },

    /** Not awaited: pi 0.73.1 would delay the end of the turn, or replace the session during it. */
    idle(event: PiEvent, ctx: PiContext): void {
      if (isIdle) return;
      isIdle = true;
      services.setIdle(true);
      const { common, branch } = placeOf(ctx, now());
      const offerPlace = offerPlaceAt(common, ctx);
      const refresh = () => line.refresh(offerPlace);
      const moment: IdleMoment = {
        ...common,
        name: "idle",
        answer: answerIn(event),
        ...(ctx.hasUI === true ? {} : { isAfterRefusal: true }), // `pi -p` ends with the answer
      };
      background.begin("agent_end", async () => {
        const { verdict } = await base.followUnwaited("agent_end", moment);
        // By now the user may have sent another prompt, or begun another session.
        if (verdict === undefined || !isIdle || isOver) return;
        const message = continuoMessage([verdict.message], branch.compactions);
        pi.sendMessage(message, { deliverAs: "followUp", triggerTurn: true });
      });
      runner.begin("idle", offerPlace, background, refresh);
      refresh();
    },

    async end(event: PiEvent, ctx: PiContext): Promise<void> {
      isOver = true;
      services.setIdle(true);
      const { common, branch } = placeOf(ctx, now());
      const why = typeof event["reason"] === "string" ? event["reason"] : "other";
      runner.begin("end", offerPlaceAt(common, ctx), background, () => undefined);
      await background.settle(SETTLE_MS);
      // What is still waiting will be there when the session is resumed.
      append("session_shutdown", branch);
      services.end();
      await deliver("session_shutdown", { ...common, name: "end", why });
    },

    /** Shows a delivery to the user. */
    show(lines: readonly string[]): void {
      line.tell(lines.join("\n"), "info");
    },

    /** pi waits for this, so the tools exist before the first request. */
    async offer(ctx: PiContext): Promise<void> {
      const offerPlace = offerPlaceOf(ctx);
      line.set(ctx, offerPlace);
      line.refresh(offerPlace);
      runner.begin("start", offerPlace, createBackground(warn), () => line.refresh(offerPlace));
      const { session, cwd } = offerPlace;
      for (const tool of await base.offeredTools(parts.tools, { session, cwd, namesSession: true }))
        pi.registerTool(piTool(tool, base, services.of));
      const { project } = offerPlace;
      planReadAhead(parts, () => ({ session, project, cwd }));
    },
  };
}

type Typed = ReturnType<typeof promptWithFiles>;

function typedAt(prompt: string, common: Common): Typed {
  return promptWithFiles(prompt, promptForm, common);
}

/** pi waits for the end of a session, and so does the user. */
const SETTLE_MS = 5_000;

const ASK_FIRST = "(ask the user before you do this)";

async function respect(
  verdict: Verdict | undefined,
  ctx: PiContext,
): Promise<{ block: true; reason: string } | undefined> {
  if (verdict === undefined) return undefined;
  // If nobody can be asked, the answer is no.
  const asks = verdict.action === "ask" && ctx.hasUI === true;
  const allowed = asks && (await ctx.ui.confirm("Continuo", verdict.message));
  if (allowed) return undefined;
  const isUnasked = verdict.action === "ask" && !asks;
  return { block: true, reason: isUnasked ? `${verdict.message} ${ASK_FIRST}` : verdict.message };
}

/** Copied from pi's context before anything is awaited: the context is stale after the session is replaced. */
interface Place {
  readonly common: Common;
  readonly branch: Branch;
  readonly entries: readonly unknown[];
}

function placeOf(ctx: PiContext, at: number): Place {
  const { sessionManager, cwd, model } = ctx;
  const entries = sessionManager.getBranch();
  const transcript = sessionManager.getSessionFile();
  return {
    common: {
      session: { host: "pi", id: sessionManager.getSessionId() },
      project: findProject(cwd),
      cwd,
      at,
      ...(model?.id === undefined ? {} : { model: model.id }),
      transcript,
    },
    branch: readBranch(entries),
    entries,
  };
}
