import type { Hooks, MessageInfo } from "./api.ts";
import {
  additionPart,
  appended,
  cutAdditions,
  hasSnapshot,
  isHousekeeping,
  isOwnMessage,
  mentionsOf,
  newestSummary,
  promptOf,
  putBehind,
} from "./messages.ts";
import type { OwnMessage } from "./own-message.ts";
import type { AdaptedSession, SessionAdapter } from "./session-adapter.ts";
import { frozenIn, isOfThisEpoch } from "./session-state.ts";

type RequestHook =
  | "chat.message"
  | "experimental.chat.system.transform"
  | "experimental.chat.messages.transform";

interface RequestHooksOptions {
  readonly adapter: SessionAdapter;
  readonly ownMessage: OwnMessage;
  /** Shows the user failures that were not shown yet. */
  readonly toast: () => void;
  /** The user's own prompts for titles and summaries. */
  readonly customPrompts: () => readonly string[];
  /** The names of Continuo's tools. */
  readonly toolNames: readonly string[];
}

/** What happens to a prompt and to the requests that follow from it. */
export function requestHooks({
  adapter,
  ownMessage,
  toast,
  customPrompts,
  toolNames,
}: RequestHooksOptions): Pick<Hooks, RequestHook> {
  const { once, quietly } = adapter;

  /** The event that reports a compaction may be late, or have come to a process that was killed. */
  async function catchUp(session: AdaptedSession, summary: MessageInfo): Promise<void> {
    await session.renewal;
    await adapter.openOnce(session);
    if (isOfThisEpoch(session.state, createdAt(summary)) || session.state.caughtUpWith === summary.id) return;
    session.send({ type: "summarySeen", id: summary.id });
    await adapter.renew(session);
  }

  return {
    "chat.message": (input, output) =>
      once("chat.message", output, async () => {
        const { message, parts } = output;
        if (isOwnMessage(message.id)) return;
        const session = adapter.of(input.sessionID);
        const model = message.model && `${message.model.providerID}/${message.model.modelID}`;
        session.send({ type: "prompted", agent: message.agent, model });
        // A subagent gets rules but no notes, and its requests do not have the tools either.
        if ((await adapter.identify(session)).parent !== undefined)
          message.tools = without(toolNames, message);
        await session.renewal;
        const prompt = promptOf(parts);
        if (frozenIn(session.state) === undefined) {
          toast();
          await adapter.open(session, prompt);
        } else if (adapter.owes(session)) await adapter.renew(session);
        await quietly("own message", () => ownMessage.put(session, message, message));
        // Without a snapshot the prompt would deliver it here, and every later process would add it again in its place.
        if (frozenIn(session.state) === undefined || prompt.trim() === "") return;
        const { held } = session.state;
        session.send({ type: "heldTaken" });
        const addition = await adapter.prompt(session, prompt, mentionsOf(parts));
        const text = [...held, addition].filter((one) => one !== "").join("\n\n");
        if (text === "") return;
        const part = additionPart(message, parts, text);
        if (part === undefined) session.send({ type: "held", texts: [text] });
        else parts.push(part);
      }),

    "experimental.chat.system.transform": ({ sessionID }, output) =>
      once("system.transform", output, async () => {
        const [system] = output.system;
        if (sessionID === undefined || system === undefined || isHousekeeping(system, customPrompts()))
          return;
        const session = adapter.of(sessionID);
        await session.renewal;
        // A turn without a prompt, such as the one after an automatic compaction, in a new process.
        await adapter.openOnce(session);
        const snapshot = frozenIn(session.state);
        if (!snapshot?.text || snapshot.inOwnMessage) return;
        // Added to the first entry: a second one would be a separate message, and some models take only one.
        output.system[0] = appended(system, snapshot.text);
        session.send({ type: "saidInSystemPrompt", at: snapshot.at });
      }),

    "experimental.chat.messages.transform": (_, output) =>
      once("messages.transform", output, async () => {
        const { messages } = output;
        const id = messages[0]?.info.sessionID;
        if (id === undefined) return;
        const session = adapter.of(id);
        if (session.state.phase.name === "summarising") return cutAdditions(messages, () => true);
        const summary = newestSummary(messages);
        if (summary !== undefined) await catchUp(session, summary);
        const { state } = session;
        const snapshot = frozenIn(state);
        if (snapshot === undefined) return;
        const { createdAt: sessionCreatedAt = 0 } = state;
        // Ids grow with time, regardless of the order in which the host puts the messages; a fork's copies have new
        // ids.
        const end = summary !== undefined && isOfThisEpoch(state, createdAt(summary)) ? summary.id : "";
        const isCopied = ({ time }: MessageInfo) => (time?.created ?? sessionCreatedAt) < sessionCreatedAt;
        // The host stored it too late, and the system prompt already has it.
        const isLate = ({ id }: MessageInfo) => snapshot.inSystemPrompt && isOwnMessage(id);
        cutAdditions(messages, (info) => info.id < end || isCopied(info) || isLate(info));
        if (end !== "" && snapshot.tail !== undefined) putBehind(end, messages, snapshot.tail);
        const isThere = hasSnapshot(messages, snapshot);
        session.send({ type: "foundInOwnMessage", at: snapshot.at, isThere });
      }),
  };
}

function without(names: readonly string[], { tools }: MessageInfo): Record<string, boolean> {
  return { ...tools, ...Object.fromEntries(names.map((name) => [name, false])) };
}

/** What happens before and after a tool call. */
export function toolHooks(
  adapter: SessionAdapter,
): Pick<Hooks, "tool.execute.before" | "tool.execute.after"> {
  return {
    "tool.execute.before": async (call, output) => {
      let verdict: Awaited<ReturnType<SessionAdapter["guard"]>>;
      await adapter.once("tool.execute.before", output, async () => {
        const session = adapter.of(call.sessionID);
        session.send({ type: "toolCalled" });
        verdict = await adapter.guard(session, call.tool, output.args);
      });
      if (verdict?.action === "ask") throw new Error(`${verdict.message}\n${NEEDS_THE_USER}`);
      else if (verdict?.action === "deny") throw new Error(verdict.message);
    },

    "tool.execute.after": (call, output) =>
      adapter.once("tool.execute.after", output, async () => {
        const session = adapter.of(call.sessionID);
        const addition = await adapter.tool(session, call.tool, call.args, output);
        const { output: result } = output;
        if (addition === "") return;
        if (typeof result === "string") output.output = appended(result, addition);
        else session.send({ type: "held", texts: [addition] });
      }),
  };
}

/** The host lets no plugin ask, so a call that would need a question is stopped and left to the user. */
const NEEDS_THE_USER =
  "This needs the user's consent, which cannot be asked for here: tell them what to run themselves.";

function createdAt({ time }: MessageInfo): number {
  return time?.created ?? 0;
}
