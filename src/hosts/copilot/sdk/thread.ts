import { isRecord } from "../../../base/settings.ts";
import type { Verdict } from "../../../moments/ports/source.ts";
import { findProject } from "../../../moments/project.ts";
import type { CompactedMoment, Moment, Session } from "../../../moments/types.ts";
import { type Common, moment, optional, type Payload, text, toolMoment } from "../../shared/fields.ts";
import { HOLD_AGAIN_MS, hold, letGo } from "../held.ts";
import { filesOf } from "../tools.ts";
import type { HookInput, HookName, HookOutput, Hooks, Invocation, SessionEvent } from "./api.ts";
import { createCallers } from "./callers.ts";
import { onEvent } from "./events.ts";
import { createTeller, type SdkParts } from "./teller.ts";

/** What is known when a session is created or resumed. */
export interface Opening {
  readonly id: string | undefined;
  readonly isResume: boolean;
  readonly cwd: string;
  /** Keeps the sessions of programs that choose ids of their own apart. */
  readonly idPrefix: string;
}

/** One session from its creation, or resumption, until the program leaves it. Its subagents are part of it. */
export interface Thread {
  readonly hooks: Hooks;
  onEvent(event: SessionEvent): void;
  /** Whose call of a tool it is: the session's, or a subagent's. */
  callerOf(invocation: Invocation): Promise<Session>;
  cwd(): string;
}

/** What a thread remembers; all of it can be lost with the process. */
export interface Memory {
  id: string | undefined;
  cwd: string;
  model: string | undefined;
  /** The session was resumed, and no prompt has come since. */
  isResumed: boolean;
  /** Texts that wait for a prompt or a tool's result: nothing else is both kept in the history and near its end. */
  waiting: string[];
  /** What the summariser wrote, until the new epoch has begun. */
  summary: string;
  /** An epoch was owed already when a compaction was announced. */
  owedBefore: boolean;
  /** Work for events, which the host does not wait for; hooks do. */
  background: Promise<unknown>;
}

export function createThread(parts: SdkParts, opening: Opening): Thread {
  const { env, now } = parts;
  const teller = createTeller(parts);
  const { told, tell, quietly } = teller;
  const memory: Memory = {
    id: opening.id,
    cwd: opening.cwd,
    model: undefined,
    isResumed: opening.isResume,
    waiting: [],
    summary: "",
    owedBefore: false,
    background: Promise.resolve(),
  };

  const heldAt = new Map<string, number>();

  const callers = createCallers();

  function sessionOf(id: string, child?: string): Session {
    const session: Session = { host: "copilot", id: opening.idPrefix + id };
    return child === undefined ? session : { ...session, id: opening.idPrefix + child, parent: session.id };
  }

  function noteCall(type: string, data: Payload, agentId: string | undefined): void {
    const call = text(data, "toolCallId");
    if (call === undefined) return;
    if (type === "tool.execution_start") callers.began(call, agentId);
    else if (type === "tool.execution_complete") callers.ended(call);
  }

  function at(session: Session, cwd: string): Common {
    return { session, project: findProject(cwd), cwd, at: now(), ...optional("model", memory.model) };
  }

  function commonOf(input: HookInput, { sessionId }: Invocation): Common {
    const cwd = input.workingDirectory ?? memory.cwd;
    const own = input.sessionId ?? sessionId;
    if (own !== sessionId) return at(sessionOf(sessionId, own), cwd);
    memory.id = sessionId;
    memory.cwd = cwd;
    return at(sessionOf(sessionId), cwd);
  }

  /** What the happening delivers, which after a compaction is the new snapshot, and whatever waited. */
  async function deliver(event: HookName, happened: Moment): Promise<HookOutput | undefined> {
    if (happened.session.parent !== undefined) return context([await tell(event, () => happened)]);
    const news = await tell(event, () => happened);
    const texts = [...memory.waiting, news];
    memory.waiting = [];
    const { summary } = memory;
    memory.summary = "";
    const compacted: CompactedMoment = { ...happened, name: "compacted" };
    if (summary !== "") await told(event, () => ({ kind: "summary", moment: compacted, summary }));
    return context(texts);
  }

  /** The history holds the snapshot, so it is not said again; but what there is to say about a resume is. */
  async function resume(common: Common): Promise<void> {
    if (!memory.isResumed) return;
    memory.isResumed = false;
    await told("resume", () => moment({ ...common, name: "resume", kept: true }));
  }

  /** Events come before and during everything that the runtime calls hooks for. */
  function keepHold(id: string, isOver: boolean): void {
    if (isOver) {
      // Its subagents are over with it.
      for (const one of id === memory.id ? [id, ...heldAt.keys()] : [id]) {
        letGo(env, one);
        heldAt.delete(one);
      }
    } else if (now() - (heldAt.get(id) ?? 0) >= HOLD_AGAIN_MS) {
      heldAt.set(id, now());
      hold(env, id);
    }
  }

  const answers: Readonly<
    Record<HookName, (input: HookInput, common: Common) => Promise<HookOutput | undefined>>
  > = {
    async onUserPromptSubmitted(input, common) {
      if (common.session.parent === undefined) await resume(common);
      return deliver("onUserPromptSubmitted", { ...common, name: "prompt", prompt: input.prompt ?? "" });
    },
    async onPreToolUse(input, common) {
      const { verdict } = await told("onPreToolUse", () => ({
        kind: "guard",
        moment: toolOf(input, common),
      }));
      if (verdict?.action !== "warn") return heed(verdict);
      if (common.session.parent !== undefined) return context([verdict.message]); // nobody resumes a subagent
      // Context given here is a message of its own that a resume loses, and with it the cached prefix.
      memory.waiting.push(verdict.message);
      return undefined;
    },
    onPostToolUse: (input, common) => deliver("onPostToolUse", toolOf(input, common)),
    // It comes after every turn.
    async onSessionEnd(_input, common) {
      await tell("onSessionEnd", () => ({ ...common, name: "idle" }));
      return undefined;
    },
  };

  const hook = (name: HookName) => (input: HookInput, invocation: Invocation) =>
    quietly(name, async () => {
      await memory.background;
      return answers[name](input, commonOf(input, invocation));
    });

  return {
    hooks: {
      onUserPromptSubmitted: hook("onUserPromptSubmitted"),
      onPreToolUse: hook("onPreToolUse"),
      onPostToolUse: hook("onPostToolUse"),
      onSessionEnd: hook("onSessionEnd"),
    },
    onEvent(event) {
      const { type, agentId } = event;
      const data = isRecord(event.data) ? event.data : {};
      const common = () => (memory.id === undefined ? undefined : at(sessionOf(memory.id), memory.cwd));
      void quietly(type, () => {
        // A subagent's compaction is not the session's.
        const work = agentId === undefined ? onEvent(type, data, { memory, teller, common }) : undefined;
        noteCall(type, data, agentId);
        if (work !== undefined) memory.background = memory.background.then(() => quietly(type, work));
        const id = agentId ?? memory.id;
        if (id !== undefined) keepHold(id, type === "session.shutdown");
      });
    },
    callerOf: async ({ sessionId, toolCallId }) =>
      sessionOf(sessionId, toolCallId === undefined ? undefined : await callers.of(toolCallId)),
    cwd: () => memory.cwd,
  };
}

function toolOf(input: HookInput, common: Common) {
  const args = isRecord(input.toolArgs) ? input.toolArgs : {};
  return toolMoment(common, input.toolName, args, filesOf);
}

function context(texts: readonly string[]): HookOutput | undefined {
  const said = texts.filter((text) => text !== "");
  return said.length === 0 ? undefined : { additionalContext: said.join("\n\n") };
}

/** The program is asked through its own `onPermissionRequest`, with our message. */
function heed(verdict: Verdict | undefined): HookOutput | undefined {
  if (verdict === undefined || verdict.action === "warn") return undefined;
  return { permissionDecision: verdict.action, permissionDecisionReason: verdict.message };
}
