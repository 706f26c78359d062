import { useState } from "preact/hooks";
import type { TryHistory as Request, TriedHistory } from "../../api/rules.ts";
import { useAction } from "../core/action.ts";
import { sessionAddress } from "../core/address.ts";
import { api } from "../core/api.ts";
import { count, number } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";
import { Failed } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";
import { Checks } from "./Checks.tsx";

interface Props extends Request {
  /** Receives the text with the checks that its sentences suggest. */
  use?(text: string): void;
}

/** What a rule's checks would have reported in past sessions, before the rule is saved. Runs and stores nothing. */
export function TryHistory({ project, text, rule, use }: Props) {
  const [answer, setAnswer] = useState<{ readonly of: string; readonly tried: TriedHistory } | undefined>();
  const { failure, isRunning, run } = useAction();
  const tryIt = async () => {
    const request: Request = { project, text, ...(rule !== undefined && { rule }) };
    setAnswer({ of: text, tried: await api.post<TriedHistory>("/rules/try/history", request) });
  };
  return (
    <section class="try-history" aria-label="Try on past sessions">
      <Button
        disabled={isRunning || text.trim() === ""}
        onClick={() => void run(tryIt, () => setAnswer(undefined))}
      >
        {isRunning ? "Reading past sessions…" : "Try on past sessions"}
      </Button>
      <div aria-live="polite">
        {failure && <Failed failure={failure} />}
        {answer && (
          <div class="try-answer stack gap-2">
            {answer.of !== text && <p class="muted break">The text has changed since it was tried.</p>}
            <Tried tried={answer.tried} />
            {answer.tried.suggested !== undefined && use !== undefined && answer.of === text && (
              <Button onClick={() => use(answer.tried.suggested ?? text)}>
                Put these checks into the rule
              </Button>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

const EXAMPLE = String.raw`---
checks: { edits: { never: '\bany\b' } }
---`;

function Tried({ tried }: { tried: TriedHistory }) {
  const { checks, sessions, ofSessions, sessionsBroken, occasions, places, found } = tried;
  if (checks.length === 0)
    return (
      <div class="muted break">
        <p>
          Nothing to try: this text has no checks, and its sentences suggest none. Agents get it all the same.
          A rule checks itself if its file begins as this one does:
        </p>
        <pre>{EXAMPLE}</pre>
        <p>
          More: <code>continuo help rules</code>
        </p>
      </div>
    );
  if (checks.every(({ on }) => on === "run"))
    return (
      <p class="muted break">
        Nothing to try: its checks run commands, and these are not run on past sessions.
      </p>
    );
  return (
    <>
      {tried.suggested !== undefined && (
        <p class="muted break">The text has no checks. These are what its sentences suggest:</p>
      )}
      <Checks checks={tried.checks} />
      <p>
        {places === 0 ? (
          "It would have said nothing"
        ) : (
          <>
            It would have spoken at <strong>{count(places, "place")}</strong> in{" "}
            {count(sessionsBroken, "session")}
          </>
        )}
        .{" "}
        <span class="muted break">
          {tried.isCut ? `The newest ${number(sessions)} of ` : ""}
          {count(ofSessions, "session")} since <Time at={tried.since} />, {count(occasions, "occasion")} to
          look at.
        </span>
      </p>
      <ul class="rows">
        {found.map(({ host, session, name, at, path, line, text }, index) => (
          <li key={index} class="row wrap gap-1-2 pad-y-2">
            <a class="link" href={sessionAddress(host, session)}>
              {name}
            </a>
            {at !== undefined && <Time at={at} class="muted break" />}
            <code class="tried-place muted break pre-wrap">
              {path !== undefined && `${path}${line === undefined ? "" : `:${line}`}  `}
              {text}
            </code>
          </li>
        ))}
      </ul>
      {places > found.length && <p class="muted break">The newest {found.length} are shown.</p>}
    </>
  );
}
