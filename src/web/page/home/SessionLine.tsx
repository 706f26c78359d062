import type { ComponentChildren } from "preact";
import type { RecentSession } from "../../api/overview.ts";
import { sessionAddress } from "../core/address.ts";
import { HostName } from "../parts/Badge.tsx";
import { Time } from "../parts/Time.tsx";

/** A session in two lines: its name, and where it happened. */
export function SessionLine({ session, state }: { session: RecentSession; state?: ComponentChildren }) {
  const { host, id, name, project, branch, modified, unobserved, lastRequest } = session;
  const isSaid = lastRequest !== undefined && lastRequest !== name;
  return (
    <li>
      <a class="home-session hover" href={sessionAddress(host, id)}>
        <span class="row gap-2 narrow medium">
          <span class="clip">{name}</span>
          {unobserved === true && (
            <span class="dot" role="img" aria-label="Nobody has looked at it since it went idle" />
          )}
        </span>
        <span class="muted numbers">{state ?? <Time at={modified} />}</span>
        <span class="home-about flex gap-3 narrow muted small">
          <HostName host={host} />
          {project !== undefined && <span>{project}</span>}
          {branch !== undefined && <span class="home-branch">{branch}</span>}
          {isSaid && <span class="grow clip">{lastRequest}</span>}
        </span>
      </a>
    </li>
  );
}
