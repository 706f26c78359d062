import type { CompactedMoment } from "../../../moments/types.ts";
import { type Common, type Payload, text } from "../../shared/fields.ts";
import type { Teller } from "./teller.ts";
import type { Memory } from "./thread.ts";

export interface EventPlace {
  readonly memory: Memory;
  readonly teller: Teller;
  /** Undefined as long as the session's id is not known. */
  common(): Common | undefined;
}

/**
 * What happens outside of hooks. An event is noted at once; what takes time is returned, to be done after what earlier
 * events left to do.
 */
export function onEvent(
  type: string,
  data: Payload,
  place: EventPlace,
): (() => Promise<unknown>) | undefined {
  const { memory, teller } = place;
  switch (type) {
    case "session.start":
      memory.id = text(data, "sessionId") ?? memory.id;
      memory.model = text(data, "selectedModel");
      return undefined;
    case "session.resume":
      memory.model = text(data, "selectedModel") ?? memory.model;
      return undefined;
    case "session.model_change":
      memory.model = text(data, "newModel") ?? memory.model;
      return undefined;
    case "user.message":
      return text(data, "delivery") === "steering" ? () => steered(text(data, "content"), place) : undefined;
    case "session.compaction_start":
      memory.waiting = []; // the snapshot that follows says it
      return () =>
        teller.tell(type, () => {
          const common = place.common();
          const trigger = text(data, "trigger") === "threshold" ? "auto" : "manual";
          memory.owedBefore = common !== undefined && teller.stateOf(common.session).read()?.owed === true;
          return common && { ...common, name: "compacting", trigger, endsEpoch: true };
        });
    case "session.compaction_complete":
      return () =>
        data["success"] === true ? summarised(text(data, "summaryContent"), place) : failed(place);
    case "session.shutdown":
      return () =>
        teller.tell(type, () => {
          const common = place.common();
          return common && { ...common, name: "end", why: text(data, "shutdownType") ?? "other" };
        });
    default:
      return undefined;
  }
}

/** A message sent while the agent works fires no hook. What it makes relevant goes with the next thing that does. */
async function steered(prompt: string | undefined, { memory, teller, common }: EventPlace): Promise<void> {
  const addition = await teller.tell("user.message", () => {
    const happening = common();
    return happening && prompt !== undefined ? { ...happening, name: "prompt", prompt } : undefined;
  });
  if (addition !== "") memory.waiting.push(addition);
}

/** The ledger is told what the summary kept once the new epoch has begun: only then is it known what that began with. */
async function summarised(summary: string | undefined, { memory, teller, common }: EventPlace) {
  const happening = common();
  if (summary === undefined || happening === undefined) return;
  if (teller.stateOf(happening.session).read()?.owed === true) {
    memory.summary = summary;
    return;
  }
  const moment: CompactedMoment = { ...happening, name: "compacted" };
  await teller.told("session.compaction_complete", () => ({ kind: "summary", moment, summary }));
}

/** It was announced and did not happen: everything is still there, and nothing is to be said again but what was before. */
async function failed({ memory, teller, common }: EventPlace): Promise<void> {
  const happening = common();
  if (happening === undefined) return;
  await teller
    .stateOf(happening.session)
    .update((state) => state && { ...state, compacting: false, owed: memory.owedBefore });
}
