import { isRecord } from "../../../base/json.ts";
import type { Verdict } from "../../../moments/ports/source.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { CompactedMoment, Moment, Session } from "../../../moments/types.ts";
import { type Common, moment, type Payload, text, toolMoment } from "../../shared/fields.ts";
import { createBase, type Parts } from "../../shared/in-process/base.ts";
import { promptWithFiles } from "../../shared/mentions/mentioned-files.ts";
import { mentionsIn } from "../../shared/mentions/parse-mentions.ts";
import { toolArguments } from "../../shared/tool-use/tool-arguments.ts";
import { HOLD_AGAIN_MS, hold, letGo } from "../held.ts";
import { tools } from "../tools.ts";
import type { HookInput, HookName, HookOutput, Hooks, Invocation, SessionEvent, Tool } from "./api.ts";
import { onEvent } from "./events.ts";
import { createCallers, sdkTool } from "./tools.ts";

/** What is known when a session is created or resumed. */
export interface Opening {
  readonly id: string | undefined;
  readonly isResume: boolean;
  readonly cwd: string;
  /** Distinguishes the sessions of programs that choose their own ids. */
  readonly idPrefix: string;
  readonly onNotice?: (lines: readonly string[], sessionId: string) => void;
}

/** One session, from when it is created or resumed until the program leaves it. Includes its subagents. */
export interface SessionAdapter {
  readonly hooks: Hooks;
  onEvent(event: SessionEvent): void;
  /** Continuo's tools in the SDK's form. */
  readonly tools: readonly Tool[];
}

/** What this process remembers about the session. All of it may be lost. */
export interface Remembered {
  id: string | undefined;
  cwd: string;
  model: string | undefined;
  /** The session was resumed, and no prompt has come since. */
  isResumed: boolean;
  /** Texts that wait for a prompt or a tool's result, because only these are stored in the history, near its end. */
  waiting: string[];
  /** The agent's last message. */
  answer: string | undefined;
  /** The agent went idle, and nothing has happened since. */
  isIdle: boolean;
  /** What the summariser wrote, until the new epoch begins. */
  summary: string;
  /** Whether an epoch was already owed when the compaction was announced. */
  owedBefore: boolean;
  /** Work for events. The host does not wait for it, but hooks do. */
  background: Promise<unknown>;
}

/** A program has no prompt line, so prompts and offers are left out. */
export type SdkParts = Omit<Parts, "prompts" | "offers">;

export function createSessionAdapter(parts: SdkParts, opening: Opening): SessionAdapter {
  const { env, now } = parts;
  const base = createBase("copilot-sdk", parts, {
    canRefuseStop: true,
    onNotice: (lines) => opening.onNotice?.(lines, remembered.id ?? ""),
  });
  const { follow, deliver, quietly } = base;
  const remembered: Remembered = {
    id: opening.id,
    cwd: opening.cwd,
    model: undefined,
    isResumed: opening.isResume,
    waiting: [],
    answer: undefined,
    isIdle: false,
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
    return { session, project: findProject(cwd), cwd, at: now(), model: remembered.model };
  }

  function commonOf(input: HookInput, { sessionId }: Invocation): Common {
    const cwd = input.workingDirectory ?? remembered.cwd;
    const own = input.sessionId ?? sessionId;
    if (own !== sessionId) return at(sessionOf(sessionId, own), cwd);
    remembered.id = sessionId;
    remembered.cwd = cwd;
    return at(sessionOf(sessionId), cwd);
  }

  /** The moment's delivery, which after a compaction is the new snapshot, plus waiting texts. */
  async function deliverAll(event: HookName, happened: Moment): Promise<HookOutput | undefined> {
    if (happened.session.parent !== undefined) return context([await deliver(event, happened)]);
    const delivered = await deliver(event, happened);
    const texts = [...remembered.waiting, delivered];
    remembered.waiting = [];
    const { summary } = remembered;
    remembered.summary = "";
    const compacted: CompactedMoment = { ...happened, name: "compacted" };
    if (summary !== "") await follow(event, () => ({ kind: "summary", moment: compacted, summary }));
    return context(texts);
  }

  /** The history contains the snapshot, so only what is new about the resume is delivered. */
  async function resume(common: Common): Promise<void> {
    if (!remembered.isResumed) return;
    remembered.isResumed = false;
    await follow("resume", () => moment({ ...common, name: "resume", kept: true }));
  }

  /** Renews the hold: events come before and during everything that the runtime calls hooks for. */
  function keepHold(id: string, isOver: boolean): void {
    if (isOver) {
      // The session's subagents end with it.
      for (const one of id === remembered.id ? [id, ...heldAt.keys()] : [id]) {
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
      const typed = promptWithFiles(input.prompt ?? "", { mentionsIn }, common);
      return deliverAll("onUserPromptSubmitted", { ...common, name: "prompt", ...typed });
    },
    async onPreToolUse(input, common) {
      const { verdict } = await follow("onPreToolUse", () => ({
        kind: "guard",
        moment: toolOf(input, common),
      }));
      return respect(verdict);
    },
    onPostToolUse: (input, common) => deliverAll("onPostToolUse", toolOf(input, common)),
    async onAgentStop({ stopHookActive }, common) {
      const isOwn = common.session.parent === undefined;
      const { verdict } = await follow("onAgentStop", () =>
        moment({
          ...common,
          name: "idle",
          answer: isOwn ? remembered.answer : undefined,
          ...(stopHookActive === undefined ? {} : { isAfterRefusal: stopHookActive }),
        }),
      );
      if (isOwn) remembered.isIdle = verdict === undefined;
      return verdict && { decision: "block", reason: verdict.message };
    },
    // Called after every turn. An aborted turn has no stop before it.
    async onSessionEnd(_input, common) {
      if (!remembered.isIdle) await deliver("onSessionEnd", { ...common, name: "idle" });
      return undefined;
    },
  };

  const hook = (name: HookName) => (input: HookInput, invocation: Invocation) =>
    quietly(name, async () => {
      await remembered.background;
      if (name === "onUserPromptSubmitted" || name === "onPreToolUse") remembered.isIdle = false;
      return answers[name](input, commonOf(input, invocation));
    });

  /** The context of a call by the session or a subagent. The host does not report in which folder a tool is called. */
  async function contextOf({ sessionId, toolCallId }: Invocation): Promise<ToolContext> {
    const child = toolCallId === undefined ? undefined : await callers.of(toolCallId);
    return base.toolContext({ session: sessionOf(sessionId, child), cwd: remembered.cwd });
  }

  return {
    hooks: {
      onUserPromptSubmitted: hook("onUserPromptSubmitted"),
      onPreToolUse: hook("onPreToolUse"),
      onPostToolUse: hook("onPostToolUse"),
      onAgentStop: hook("onAgentStop"),
      onSessionEnd: hook("onSessionEnd"),
    },
    onEvent(event) {
      const { type, agentId } = event;
      const data = isRecord(event.data) ? event.data : {};
      const common = () =>
        remembered.id === undefined ? undefined : at(sessionOf(remembered.id), remembered.cwd);
      void quietly(type, () => {
        // A subagent's compaction is not the session's.
        const work = agentId === undefined ? onEvent(type, data, { remembered, base, common }) : undefined;
        noteCall(type, data, agentId);
        if (work !== undefined) remembered.background = remembered.background.then(() => quietly(type, work));
        const id = agentId ?? remembered.id;
        if (id !== undefined) keepHold(id, type === "session.shutdown");
      });
    },
    tools: parts.tools.map((tool) => sdkTool(tool, base, contextOf)),
  };
}

function toolOf(input: HookInput, common: Common) {
  const { toolName, toolArgs, toolResult } = input;
  return toolMoment(common, toolName, toolArguments(toolArgs), tools, toolResult);
}

function context(texts: readonly string[]): HookOutput | undefined {
  const said = texts.filter((text) => text !== "");
  return said.length === 0 ? undefined : { additionalContext: said.join("\n\n") };
}

/** Applies a guard's verdict. The program is asked through its own `onPermissionRequest`, with the guard's message. */
function respect(verdict: Verdict | undefined): HookOutput | undefined {
  if (verdict === undefined) return undefined;
  return { permissionDecision: verdict.action, permissionDecisionReason: verdict.message };
}
