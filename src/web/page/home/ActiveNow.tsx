import type { ActiveSession } from "../../api/overview.ts";
import { duration } from "../core/format.ts";
import { now } from "../parts/Time.tsx";
import { SessionLine } from "./SessionLine.tsx";

/** Sessions in which an agent works, and those that wait for the person since a short time. */
export function ActiveNow({ sessions }: { sessions: readonly ActiveSession[] }) {
  return (
    <section aria-labelledby="home-active">
      <h2 id="home-active">Active now</h2>
      {sessions.length === 0 ? (
        <p class="muted">No agent is working.</p>
      ) : (
        <ul class="rows">
          {sessions.map((one) => (
            <SessionLine key={`${one.host}/${one.id}`} session={one} state={<State session={one} />} />
          ))}
        </ul>
      )}
    </section>
  );
}

function State({ session: { workingSince } }: { session: ActiveSession }) {
  if (workingSince === undefined) return <span class="muted">waits for you</span>;
  const ms = Math.max(0, now.value - workingSince);
  return (
    <span class="inline-row gap-tight good">
      <span class="dot pulse" aria-hidden="true" />
      {ms < 60_000 ? "working" : `working for ${duration(ms)}`}
    </span>
  );
}
