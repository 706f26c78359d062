import type { ShownTurn } from "../../api/conversation.ts";
import { dayName, number } from "../core/format.ts";
import { hostLabel } from "../parts/Badge.tsx";
import { Markdown } from "../parts/markdown/Markdown.tsx";
import { now } from "../parts/Time.tsx";
import { Clipped, type SessionKey } from "./Clipped.tsx";
import { Fold } from "./Fold.tsx";
import { TurnLink } from "./Message.tsx";

/** Where the host replaced everything above by a summary. */
export function Compaction(props: { session: SessionKey; turn: ShownTurn; givenAddress: string }) {
  const { session, turn, givenAddress } = props;
  const length = turn.said.of ?? turn.said.text.length;
  return (
    <section class="compacted" aria-label="Compaction">
      <div class="flex baseline">
        <span class="compacted-title">Compacted here</span>
        <TurnLink turn={turn} />
      </div>
      <p class="muted">From here on the model knows only a summary of what is above.</p>
      <a class="link" href={givenAddress}>
        See what was lost and what was restored
      </a>
      {turn.said.text !== "" && (
        <Fold class="summary" line={<span class="muted">Summary, {number(length)} characters</span>}>
          {() => (
            <Clipped session={session} turn={turn} part="said" text={turn.said}>
              {(text) => <Markdown text={text} />}
            </Clipped>
          )}
        </Fold>
      )}
    </section>
  );
}

/** A text that neither a user nor a model wrote: one subdued line. */
export function Aside({ session, turn }: { session: SessionKey; turn: ShownTurn }) {
  const part = turn.said.text === "" && turn.injected !== undefined ? "injected" : "said";
  const text = part === "injected" ? turn.injected : turn.said;
  const line = <span class="muted">{asideTitle(turn, session.host)}</span>;
  if (text === undefined || text.text === "") return <p class="aside-line">{line}</p>;
  return (
    <Fold class="aside" line={line}>
      {() => (
        <Clipped session={session} turn={turn} part={part} text={text}>
          {(shown) => <pre class="quoted box pad-3 surface-2 pre-wrap break">{shown}</pre>}
        </Clipped>
      )}
    </Fold>
  );
}

function asideTitle({ marks, role, said, injected }: ShownTurn, host: string): string {
  const length = (said.of ?? said.text.length) + (injected?.of ?? injected?.text.length ?? 0);
  const size = `${number(length)} characters`;
  if (marks.includes("ours")) return `Added by Continuo, ${size}`;
  if (marks.includes("injected")) return `Added by ${hostLabel(host)} or a hook, ${size}`;
  if (role === "user") return "Not typed by a person";
  return `Message from ${hostLabel(host)}`;
}

const BOUNDARIES = {
  abandoned: "Abandoned branch: the session went back to an earlier turn",
  copied: "Copied from the session that this one is a fork of",
  current: "The session continues here",
  stopped: "Stopped.",
  resumed: "Resumed here.",
} as const;

/** The day, if it differs from that of the previous turn. */
export function DayHeading({ at, before }: { at: number | undefined; before: number | undefined }) {
  if (at === undefined) return null;
  const day = dayName(at, now.value);
  if (before !== undefined && dayName(before, now.value) === day) return null;
  return <p class="boundary boundary-day row gap-3 muted small">{day}</p>;
}

export function Boundary({ what }: { what: keyof typeof BOUNDARIES }) {
  return <p class="boundary row gap-3 muted small">{BOUNDARIES[what]}</p>;
}
