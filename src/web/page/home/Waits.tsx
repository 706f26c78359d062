import { CircleAlert, Eye, Inbox } from "lucide";
import type { ComponentChildren } from "preact";
import type { Waiting } from "../../api/overview.ts";
import type { ObservedSince } from "../../api/sessions.ts";
import { attempt } from "../core/action.ts";
import { api } from "../core/api.ts";
import { count } from "../core/format.ts";
import { notify } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Time } from "../parts/Time.tsx";

/** What is pending for the user. Shows nothing if nothing is pending. */
export function Waits({ waiting }: { waiting: Waiting }) {
  const { proposals, unobserved, problems } = waiting;
  if (proposals + unobserved + problems.length === 0) return null;
  return (
    <section aria-labelledby="home-waits">
      <h2 id="home-waits">Waits for you</h2>
      <ul class="rows">
        {proposals > 0 && (
          <Line icon={Inbox} href="/inbox">
            {count(proposals, "suggestion")} to decide
          </Line>
        )}
        {unobserved > 0 && (
          <Line
            icon={Eye}
            href="/sessions?unobserved=true"
            action={
              <Button kind="quiet" onClick={() => void markAllSeen(unobserved)}>
                Mark all as seen
              </Button>
            }
          >
            {count(unobserved, "session")} went idle and nobody has looked
          </Line>
        )}
        {problems.map((one) => (
          <li key={one.message} class="home-problem">
            <Icon of={CircleAlert} />
            <div>
              <p>{one.message}</p>
              {one.hint !== undefined && <p class="muted">To fix: {one.hint}</p>}
            </div>
            <Time at={one.at} class="muted" />
          </li>
        ))}
      </ul>
      {problems.length > 0 && (
        <p class="muted pad-top-1">
          More about problems: <code>continuo doctor</code>
        </p>
      )}
    </section>
  );
}

async function markAllSeen(sessions: number): Promise<void> {
  const put = (body: object) => api.put<ObservedSince>("/sessions/observed", body);
  const putBack = (since: ObservedSince["before"]) => attempt("Not undone", () => put({ since }));
  await attempt("Not marked", async () => {
    const { before } = await put({});
    notify(`${count(sessions, "session")} marked as seen`, { undo: () => void putBack(before) });
  });
}

function Line(props: {
  icon: typeof Inbox;
  href: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <li class="row gap-2">
      <a class="home-line grow hover" href={props.href}>
        <Icon of={props.icon} />
        <span>{props.children}</span>
      </a>
      {props.action}
    </li>
  );
}
