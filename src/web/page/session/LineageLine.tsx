import type { Lineage, RelatedSession, Relation } from "../../api/session-page.ts";
import type { SessionKey } from "../conversation/Clipped.tsx";
import { Fold } from "../conversation/Fold.tsx";
import { sessionAddress } from "../core/address.ts";
import { sessionPath } from "../core/api.ts";
import { count } from "../core/format.ts";
import { useGet } from "../core/resource.ts";

const FROM: Readonly<Record<Relation, string>> = {
  "subagent of": "Subagent of",
  "fork of": "Fork of",
  continues: "Continues",
};
const TO: Readonly<Record<Relation, readonly [string, string]>> = {
  "subagent of": ["subagent", "subagents"],
  "fork of": ["fork", "forks"],
  continues: ["continuation", "continuations"],
};
const FEW = 3;

/** Where a session comes from, and which sessions came from it; empty for most sessions. */
export function LineageLine({ host, id }: SessionKey) {
  const { data } = useGet<Lineage>(
    sessionPath(host, id, "/lineage"),
    {},
    (event) => event.type === "session" && event.session.host === host,
  );
  if (data === undefined || data.ancestors.length + data.descendants.length === 0) return null;
  const groups = (Object.keys(TO) as Relation[]).flatMap((how) => {
    const sessions = data.descendants.filter((one) => one.how === how).map(({ session }) => session);
    return sessions.length === 0 ? [] : [{ how, sessions }];
  });
  return (
    <div class="lineage">
      {data.ancestors.map(({ how, id: origin, session }) => (
        <p key={origin}>
          <span class="muted">{FROM[how]} </span>
          {session ? <Related session={session} /> : <span>{origin} (not indexed)</span>}
        </p>
      ))}
      {groups.map(({ how, sessions }) => (
        <Descendants key={how} how={how} sessions={sessions} />
      ))}
      {data.descendantsOf !== undefined && (
        <p class="muted">{count(data.descendantsOf, "session")} in all; the newest are listed.</p>
      )}
    </div>
  );
}

function Descendants({ how, sessions }: { how: Relation; sessions: readonly RelatedSession[] }) {
  const list = () => (
    <ul>
      {sessions.map((session) => (
        <li key={session.id}>
          <Related session={session} />
        </li>
      ))}
    </ul>
  );
  const title = <span class="muted">{count(sessions.length, ...TO[how])}</span>;
  return (
    <Fold line={title} isOpen={sessions.length <= FEW && how !== "subagent of"}>
      {list}
    </Fold>
  );
}

function Related({ session: { host, id, name } }: { session: RelatedSession }) {
  return (
    <a class="link" href={sessionAddress(host, id)}>
      {name}
    </a>
  );
}
