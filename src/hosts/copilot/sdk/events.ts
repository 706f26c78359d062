import type { CompactedMoment } from "../../../moments/types.ts";
import { type Common, type Payload, text } from "../../shared/fields.ts";
import type { InProcessBase } from "../../shared/in-process/base.ts";
import type { Remembered } from "./session-adapter.ts";

interface EventPlace {
  readonly remembered: Remembered;
  readonly base: InProcessBase;
  /** Undefined until the session's id is known. */
  common(): Common | undefined;
}

/**
 * Handles what happens outside hooks. An event is recorded at once. Slow work is returned, and runs after the work of
 * earlier events.
 */
export function onEvent(
  type: string,
  data: Payload,
  place: EventPlace,
): (() => Promise<unknown>) | undefined {
  const { remembered, base } = place;
  switch (type) {
    case "session.start":
      remembered.id = text(data, "sessionId") ?? remembered.id;
      remembered.model = text(data, "selectedModel");
      return undefined;
    case "session.resume":
      remembered.model = text(data, "selectedModel") ?? remembered.model;
      return undefined;
    case "session.model_change":
      remembered.model = text(data, "newModel") ?? remembered.model;
      return undefined;
    case "assistant.message":
      remembered.answer = text(data, "content") ?? remembered.answer;
      return undefined;
    case "user.message":
      remembered.answer = undefined;
      return text(data, "delivery") === "steering" ? () => steered(text(data, "content"), place) : undefined;
    case "session.compaction_start":
      remembered.waiting = []; // the snapshot that follows contains it
      return () =>
        base.deliver(type, () => {
          const common = place.common();
          const trigger = text(data, "trigger") === "threshold" ? "auto" : "manual";
          remembered.owedBefore = common !== undefined && base.stateOf(common.session).read()?.owed === true;
          return common && { ...common, name: "compacting", trigger, endsEpoch: true };
        });
    case "session.compaction_complete":
      return () =>
        data["success"] === true ? summarised(text(data, "summaryContent"), place) : failed(place);
    case "session.shutdown":
      return () =>
        base.deliver(type, () => {
          const common = place.common();
          return common && { ...common, name: "end", why: text(data, "shutdownType") ?? "other" };
        });
    default:
      return undefined;
  }
}

/**
 * A message that is sent while the agent works fires no hook. What it makes relevant is delivered with the next hook.
 */
async function steered(prompt: string | undefined, { remembered, base, common }: EventPlace): Promise<void> {
  const addition = await base.deliver("user.message", () => {
    const shared = common();
    return shared && prompt !== undefined ? { ...shared, name: "prompt", prompt } : undefined;
  });
  if (addition !== "") remembered.waiting.push(addition);
}

/** The loss report is written after the new epoch has begun: only then is it known what the epoch began with. */
async function summarised(summary: string | undefined, { remembered, base, common }: EventPlace) {
  const shared = common();
  if (summary === undefined || shared === undefined) return;
  if (base.stateOf(shared.session).read()?.owed === true) {
    remembered.summary = summary;
    return;
  }
  const moment: CompactedMoment = { ...shared, name: "compacted" };
  await base.follow("session.compaction_complete", () => ({ kind: "summary", moment, summary }));
}

/**
 * A compaction was announced but did not happen: everything is still there, and only what was owed before is still
 * owed.
 */
async function failed({ remembered, base, common }: EventPlace): Promise<void> {
  const shared = common();
  if (shared === undefined) return;
  await base
    .stateOf(shared.session)
    .update((state) => state && { ...state, compacting: false, owed: remembered.owedBefore });
}
