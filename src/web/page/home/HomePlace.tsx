import { useEffect, useState } from "preact/hooks";
import type { ActiveSession, Overview } from "../../api/overview.ts";
import { Connect } from "../connect/ConnectPlace.tsx";
import { duration } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Page } from "../parts/Page.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { now } from "../parts/Time.tsx";
import { SessionLine } from "./SessionLine.tsx";
import { Waits } from "./Waits.tsx";
import { WeekNumbers } from "./WeekNumbers.tsx";

/** What is going on? If no agent is connected, this is where the user connects one. */
export default function HomePlace() {
  const overview = useGet<Overview>("/overview", {}, [
    "session",
    "given",
    "inbox",
    "health",
    "connect",
    "import",
  ]);
  const [isBegun, setBegun] = useState(false);
  const isFirst = isBegun || overview.data?.isConnected === false;
  // Once begun, connecting stays open until the user is done or leaves: the first agent is not the only step.
  useEffect(() => {
    if (overview.data?.isConnected === false) setBegun(true);
  }, [overview.data]);
  const done = () => {
    setBegun(false);
    document.getElementById("content")?.focus(); // the button disappears
  };
  return (
    <Page
      title={isFirst ? "Welcome" : "Home"}
      heading={<h1>{isFirst ? "Welcome to Continuo" : "Home"}</h1>}
      width={isFirst ? "reading" : "list"}
    >
      <Loaded resource={overview} lines={10}>
        {({ active, waiting, recent, isConnected }) => (
          <div class={isFirst ? "home stack gap-8" : "home stack gap-8 home-wide"}>
            {!isFirst && <WeekNumbers />}
            {isFirst && <Connect />}
            {isFirst && isConnected && (
              <div>
                <Button kind="primary" onClick={done}>
                  Done
                </Button>
              </div>
            )}
            <div class="stack gap-8 narrow">
              <Waits waiting={waiting} />
              {(!isFirst || active.length > 0) && <ActiveNow sessions={active} />}
            </div>
            {(!isFirst || recent.length > 0) && (
              <section aria-labelledby="home-recent">
                <div class="flex between gap-4">
                  <h2 id="home-recent">Last sessions</h2>
                  <a class="link" href="/sessions">
                    All sessions
                  </a>
                </div>
                {recent.length === 0 ? (
                  <Empty title="No sessions yet">
                    Sessions of your agents appear here as they happen. To index those of the past, go to{" "}
                    <a class="link" href="/connect">
                      Connect
                    </a>
                    .
                  </Empty>
                ) : (
                  <ul class="rows">
                    {recent.map((one) => (
                      <SessionLine key={`${one.host}/${one.id}`} session={one} />
                    ))}
                  </ul>
                )}
              </section>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** Sessions in which an agent works, and those that recently began to wait for the user. */
function ActiveNow({ sessions }: { sessions: readonly ActiveSession[] }) {
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
