import type { ShownTurn } from "../../api/conversation.ts";
import { clock, exact, number } from "../core/format.ts";
import { Badge, hostLabel } from "../parts/Badge.tsx";
import { Markdown } from "../parts/markdown/Markdown.tsx";
import { Clipped, type SessionKey } from "./Clipped.tsx";
import { Fold } from "./Fold.tsx";
import { Images } from "./Images.tsx";
import { KnownLink } from "./KnownLink.tsx";

/** What a person or the agent said. */
export function Message(props: { session: SessionKey; turn: ShownTurn; isFirst: boolean }) {
  const { session, turn, isFirst } = props;
  const { role, marks, said, thinking, injected } = turn;
  const isError = marks.includes("error");
  return (
    <article class={`said said-${role} ${isError ? "said-error" : ""}`}>
      {isFirst || isError ? (
        <header>
          <h2>{speakerOf(turn, session.host)}</h2>
          {isError && <Badge tone="bad">error</Badge>}
          {role === "assistant" && turn.model && <span class="model">{turn.model}</span>}
          <KnownLink session={session} at={turn.at} />
          <TurnLink turn={turn} />
        </header>
      ) : (
        <>
          <TurnLink turn={turn} />
          <KnownLink session={session} at={turn.at} isIcon />
        </>
      )}
      {thinking && (
        <Fold class="thinking" line={<span class="muted">Thinking</span>}>
          {() => (
            <Clipped session={session} turn={turn} part="thinking" text={thinking}>
              {(text) => <Markdown text={text} />}
            </Clipped>
          )}
        </Fold>
      )}
      {said.text !== "" && (
        <Clipped session={session} turn={turn} part="said" text={said}>
          {(text) => <Markdown text={text} />}
        </Clipped>
      )}
      <Images images={turn.images} />
      {injected && role !== "other" && (
        <Fold
          class="added"
          line={
            <span class="muted">
              Added to this prompt: {number(injected.of ?? injected.text.length)} characters
            </span>
          }
        >
          {() => (
            <Clipped session={session} turn={turn} part="injected" text={injected}>
              {(text) => <pre class="quoted">{text}</pre>}
            </Clipped>
          )}
        </Fold>
      )}
    </article>
  );
}

function speakerOf({ role, marks }: ShownTurn, host: string): string {
  if (role === "user") return marks.includes("sidechain") ? "Prompt by the main agent" : "You";
  if (role === "summary") return "Summary";
  return role === "other" ? hostLabel(host) : marks.includes("sidechain") ? "Subagent" : hostLabel(host);
}

/** The time of day of a turn; its day is in the headings. */
export function Clock({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {clock(at)}
    </time>
  );
}

/** The time of a turn, as a link to it. */
export function TurnLink({ turn }: { turn: ShownTurn }) {
  return (
    <a class="turn-link" href={`#${encodeURIComponent(turn.id)}`} title="Link to this turn">
      {turn.at === undefined ? "#" : <Clock at={turn.at} />}
    </a>
  );
}
