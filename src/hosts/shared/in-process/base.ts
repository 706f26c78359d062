import type { Delivery, HostEvent } from "../../../moments/host-event.ts";
import { offeredTools } from "../../../moments/offers/offered-tools.ts";
import type { Offer } from "../../../moments/ports/offer.ts";
import type { PromptDefinition } from "../../../moments/ports/prompt.ts";
import type { ToolContext, ToolDefinition, ToolPlace } from "../../../moments/ports/tool.ts";
import type { HostRun, RunParts } from "../../../moments/run/run.ts";
import { type StateFile, stateFile } from "../../../moments/state/session-state.ts";
import type { Moment, Session } from "../../../moments/types.ts";
import { findHome, homeForHost } from "../../../store/home.ts";
import { follow, recordFailure } from "../follow.ts";
import { cancelReadAhead } from "./read-ahead.ts";

/**
 * What an entry point passes to a host that runs Continuo in its own process. A host imports no source, so everything
 * that sources register comes from here; a test passes its own.
 */
export interface Parts extends RunParts {
  readonly tools: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly offers: readonly Offer[];
}

/** What all in-process hosts do the same way. Nothing here throws into the host, except reading the state. */
export interface InProcessBase {
  /** Turns a host's event into a delivery. Bounded by the deadline; never throws. */
  follow(event: string, parseEvent: () => HostEvent | undefined): Promise<Delivery>;
  /**
   * The same for a moment that the host does not wait for: on a busy machine it may take seconds, which is not a
   * failure.
   */
  followUnwaited(event: string, moment: Moment): Promise<Delivery>;
  /** The same for a moment, returning only the text. An undefined moment delivers nothing. */
  deliver(event: string, moment: Moment | (() => Moment | undefined)): Promise<string>;
  /** Runs work; a failure is recorded and gives undefined. */
  quietly<T>(event: string, work: () => T | Promise<T>): Promise<T | undefined>;
  /** Records a failure for `continuo doctor`. */
  onFailure(where: string, error: unknown): void;
  /** The stored state of a session, as every process sees it. A damaged file is moved away and recorded. */
  stateOf(session: Session): StateFile;
  /** The tools that a session gets, for its whole life. */
  offeredTools(
    tools: readonly ToolDefinition[],
    place: Pick<ToolPlace, "session" | "cwd" | "namesSession">,
  ): Promise<readonly ToolDefinition[]>;
  /** The context for a tool or a prompt when it is called. */
  toolContext(call: Pick<ToolContext, "session" | "cwd" | "transcript" | "signal" | "host">): ToolContext;
}

interface BaseOptions extends Pick<HostRun, "onHostNote" | "canRefuseStop" | "reviewCommand"> {
  /** Shows the user, never the model, what was delivered, what is pending for them, and other lines of sources. */
  readonly onNotice?: (lines: readonly string[]) => void;
}

/** An event may come while another one holds the session's lock. */
const LOCK_WAIT_MS = 300;

/** `label`: this host's name in the health log. */
export function createBase(
  label: string,
  { env, now, sources, history }: RunParts,
  { onNotice, ...options }: BaseOptions = {},
): InProcessBase {
  const onFailure = (where: string, error: unknown) => recordFailure(env, `${label} ${where}`, error, now());
  const show = (lines: readonly string[]) => {
    try {
      onNotice?.(lines);
    } catch (error) {
      onFailure("notice", error); // a failing screen or program must not cost the delivery
    }
  };
  const onDamaged = (path: string, movedTo: string) =>
    onFailure("state", new Error(`${path} was damaged; moved to ${movedTo}`));
  const followEvent = async (
    event: string,
    parseEvent: () => HostEvent | undefined,
    isUnwaited = false,
  ): Promise<Delivery> => {
    const where = `${label} ${event}`;
    cancelReadAhead();
    const delivery = await follow({ where, env, now, sources, history, isUnwaited, ...options }, parseEvent);
    if (delivery.notices !== undefined) show(delivery.notices);
    return delivery;
  };
  return {
    follow: (event, parseEvent) => followEvent(event, parseEvent),
    followUnwaited: (event, moment) => followEvent(event, () => ({ kind: "moment", moment }), true),
    async deliver(event, given) {
      const delivery = await followEvent(event, () => {
        const moment = typeof given === "function" ? given() : given;
        return moment && { kind: "moment", moment };
      });
      return delivery.text;
    },
    async quietly(event, work) {
      try {
        return await work();
      } catch (error) {
        onFailure(event, error);
        return undefined;
      }
    },
    onFailure,
    stateOf: (session) => stateFile(homeForHost(env).home, session, { lockWaitMs: LOCK_WAIT_MS, onDamaged }),
    offeredTools: (tools, place) =>
      offeredTools(tools, { ...place, home: homeForHost(env).home, env, now: now(), history }, { onFailure }),
    toolContext: (call) => ({ ...call, home: findHome(env), env, now: now(), history }),
  };
}
