import { count, number } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";
import { Empty } from "../parts/States.tsx";
import type { ListHead } from "./use-list.ts";

/** The list is empty: because of filters, or because nothing is indexed. */
export function NoSessions({ head, clear }: { head: ListHead; clear: (() => void) | undefined }) {
  if (clear !== undefined && head.indexed > 0)
    return (
      <Empty title="No session matches these filters">
        <p>{count(head.indexed, "session")} in all.</p>
        <Button onClick={clear}>Clear filters</Button>
      </Empty>
    );
  if (head.indexing !== null) return <Reading {...head.indexing} />;
  return (
    <Empty title="No past sessions yet" command="continuo sessions index">
      <p>
        Sessions of Claude Code, OpenCode, pi, Codex, Copilot and Gemini on this machine are read by
        themselves. Start one, or read those that are there with this command:
      </p>
    </Empty>
  );
}

/** How far the reading of transcripts is. */
export function Reading({ done, total }: { done: number; total: number }) {
  return (
    <div class="state">
      <p class="state-title">Reading past sessions</p>
      <progress class="reading" max={Math.max(1, total)} value={done} aria-label="Sessions read" />
      <p class="state-text">
        {number(done)} of {count(total, "session")}. They appear here as they are read.
      </p>
    </div>
  );
}
