import { isRecord } from "../../base/settings.ts";
import type { HostEvent } from "./api.ts";
import type { Bench } from "./bench.ts";
import { sessionFrom } from "./lookup.ts";

/** The host does not wait for what is done here. */
export async function onEvent(
  event: HostEvent,
  { threads, conductor, jobs, turn, toast }: Bench,
): Promise<void> {
  const properties = event.properties ?? {};
  const info = isRecord(properties["info"]) ? properties["info"] : {};
  const id = properties["sessionID"] ?? info["id"];
  if (typeof id !== "string") return;
  switch (event.type) {
    case "session.created":
      Object.assign(threads.of(id), sessionFrom(info));
      return;
    case "message.part.updated": {
      const part = properties["part"];
      if (isRecord(part) && part["type"] === "compaction") threads.of(id).isAutomatic = part["auto"] === true;
      return;
    }
    case "session.compacted": {
      const thread = threads.of(id);
      thread.isSummarising = false;
      // A request may have been faster than this event, and have begun the epoch.
      if (thread.snapshot === undefined || thread.snapshot.at < thread.compactingAt) await turn(thread);
      return;
    }
    case "session.error":
    case "session.idle": {
      const thread = threads.known(id);
      if (thread === undefined) return;
      // A compaction that failed: what follows are conversations again.
      thread.isSummarising = false;
      thread.warnings.clear();
      if (event.type === "session.idle" && thread.snapshot !== undefined) {
        await conductor.idle(thread);
        jobs.begin(await conductor.sessionOf(thread));
      }
      toast();
      return;
    }
    case "session.deleted": {
      await conductor.end(threads.of(id));
      threads.forget(id);
      return;
    }
  }
}
