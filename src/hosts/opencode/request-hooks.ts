import type { Hooks, MessageInfo } from "./api.ts";
import type { Bench } from "./bench.ts";
import {
  additionPart,
  appended,
  cutOurs,
  isHousekeeping,
  isOwnMessage,
  newestSummary,
  promptOf,
  standsIn,
} from "./requests.ts";
import type { Thread } from "./threads.ts";

type Name =
  | "chat.message"
  | "experimental.compaction.autocontinue"
  | "experimental.chat.system.transform"
  | "experimental.chat.messages.transform";

/** What happens to a prompt and to the requests that follow from it. */
export function requestHooks(
  { threads, conductor, ownMessage, once, quietly, turn, toast }: Bench,
  customPrompts: () => readonly string[],
): Pick<Hooks, Name> {
  return {
    "chat.message": (input, output) =>
      once("chat.message", output, async () => {
        const { message, parts } = output;
        if (isOwnMessage(message.id)) return;
        const thread = threads.of(input.sessionID);
        thread.asked = false;
        thread.agent = message.agent;
        thread.model = message.model && `${message.model.providerID}/${message.model.modelID}`;
        await thread.turning;
        const prompt = promptOf(parts);
        if (thread.snapshot === undefined) {
          toast();
          await conductor.begin(thread, prompt);
        } else if (conductor.owes(thread)) await turn(thread);
        await quietly("own message", () => ownMessage.put(thread, message, message));
        // Without a snapshot a prompt would deliver it here, and every later process once more in its place.
        if (thread.snapshot === undefined || prompt.trim() === "") return;
        const text = [...thread.held.splice(0), await conductor.prompt(thread, prompt)]
          .filter((one) => one !== "")
          .join("\n\n");
        if (text === "") return;
        const part = additionPart(message, parts, text);
        if (part === undefined) thread.held.push(text);
        else parts.push(part);
      }),

    "experimental.chat.system.transform": ({ sessionID }, output) =>
      once("system.transform", output, async () => {
        const [system] = output.system;
        if (sessionID === undefined || system === undefined || isHousekeeping(system, customPrompts()))
          return;
        const thread = threads.of(sessionID);
        await thread.turning;
        // A turn that no prompt began, such as the one after an automatic compaction, in a process of its own.
        await conductor.beginOnce(thread);
        // In the first entry: a second one would be a message of its own, and some models take only one.
        const { snapshot } = thread;
        if (!snapshot?.text || thread.standsAlone === snapshot.at) return;
        output.system[0] = appended(system, snapshot.text);
        thread.isSaid = snapshot.at;
      }),

    "experimental.chat.messages.transform": (_, output) =>
      once("messages.transform", output, async () => {
        const { messages } = output;
        const id = messages[0]?.info.sessionID;
        if (id === undefined) return;
        const thread = threads.of(id);
        if (thread.isSummarising) return cutOurs(messages, () => true);
        const summary = newestSummary(messages);
        if (summary !== undefined) await catchUp(thread, summary);
        const { snapshot, createdAt = 0 } = thread;
        if (snapshot === undefined) return;
        // Ids grow with time, whatever order the host puts the messages in; a fork's copies have new ones.
        const end = summary !== undefined && isOfThisEpoch(thread, summary) ? summary.id : "";
        const isCopied = ({ time }: MessageInfo) => (time?.created ?? createdAt) < createdAt;
        // The host stored it too late, and the system prompt says it already.
        const isLate = ({ id }: MessageInfo) => thread.isSaid === snapshot.at && isOwnMessage(id);
        cutOurs(messages, (info) => info.id < end || isCopied(info) || isLate(info));
        thread.standsAlone = standsIn(messages, snapshot) ? snapshot.at : undefined;
      }),

    // In an automatic compaction this is the last that the host waits for before it goes on by itself.
    "experimental.compaction.autocontinue": ({ sessionID, message }, output) =>
      once("autocontinue", output, async () => {
        if (message === undefined || !ownMessage.isWanted()) return;
        const thread = threads.of(sessionID);
        await turn(thread);
        await ownMessage.put(thread, message);
      }),
  };

  /** The event that tells of a compaction may be late, or have come to a process that was killed. */
  async function catchUp(thread: Thread, summary: MessageInfo): Promise<void> {
    await thread.turning;
    await conductor.beginOnce(thread);
    if (isOfThisEpoch(thread, summary) || thread.caughtUpWith === summary.id) return;
    thread.caughtUpWith = summary.id;
    await turn(thread);
  }
}

/** Does the frozen snapshot say again what the summary put an end to? */
function isOfThisEpoch({ snapshot }: Thread, summary: MessageInfo): boolean {
  return snapshot !== undefined && snapshot.at >= (summary.time?.created ?? 0);
}
