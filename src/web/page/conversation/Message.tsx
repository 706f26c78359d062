import { Image as ImageIcon, MessageCircleQuestionMark } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { ShownTurn } from "../../api/conversation.ts";
import { sessionAddress } from "../core/address.ts";
import { bytes, clock, exact, number } from "../core/format.ts";
import { Badge, hostLabel } from "../parts/Badge.tsx";
import { Copy } from "../parts/Copy.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Markdown } from "../parts/markdown/Markdown.tsx";
import { Clipped, type SessionKey } from "./Clipped.tsx";
import { Fold } from "./Fold.tsx";

/** A message by the user or the agent. */
export function Message(props: { session: SessionKey; turn: ShownTurn; isFirst: boolean }) {
  const { session, turn, isFirst } = props;
  const { role, marks, said, thinking, injected, isOpen = false } = turn;
  const isError = marks.includes("error");
  const isSpoken = role === "user" || role === "assistant";
  return (
    <article
      class={`said relative said-${role} ${isError ? "said-error" : ""}`}
      aria-live={isError && turn.isLive ? "assertive" : undefined}
      aria-label={isSpoken ? (role === "user" ? "You" : "Agent") : undefined}
      aria-busy={isOpen}
    >
      {isFirst || isError ? (
        <header class="flex baseline gap-2">
          <h2>{speakerOf(turn, session.host)}</h2>
          {isError && <Badge tone="bad">error</Badge>}
          {role === "assistant" && turn.model && <span class="model faint">{turn.model}</span>}
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
          {(text) => <Growing text={text} isGrowing={isOpen} />}
        </Clipped>
      )}
      {marks.includes("lost") && (
        <p class="boundary row gap-3 muted small">
          The agent ended before it finished this answer. It is not part of the session, and the agent does
          not know it.
        </p>
      )}
      {turn.isLive && isSpoken && !isOpen && said.text !== "" && (
        <span class="said-copy">
          <Copy text={said.text} />
        </span>
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
              {(text) => <pre class="quoted box pad-3 surface-2 pre-wrap break">{text}</pre>}
            </Clipped>
          )}
        </Fold>
      )}
    </article>
  );
}

const CALM_MS = 80;

/** Rendering Markdown for every piece of a long answer would be too slow. */
function Growing({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    if (!isGrowing) return;
    const timer = setTimeout(() => setShown(text), shown === "" ? 0 : CALM_MS);
    return () => clearTimeout(timer);
  }, [text, isGrowing, shown]);
  return <Markdown text={isGrowing && text.startsWith(shown) ? shown : text} />;
}

function speakerOf({ role, marks }: ShownTurn, host: string): string {
  if (role === "user") return marks.includes("sidechain") ? "Prompt by the main agent" : "You";
  if (role === "summary") return "Summary";
  return role === "other" ? hostLabel(host) : marks.includes("sidechain") ? "Subagent" : hostLabel(host);
}

/** The time of day of a turn; the day is in the headings. */
export function Clock({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {clock(at)}
    </time>
  );
}

/** The time of a turn, as a link to it. A live turn has another id than in the transcript. */
export function TurnLink({ turn }: { turn: ShownTurn }) {
  if (turn.isLive) return <span class="turn-link fixed small">{turn.at && <Clock at={turn.at} />}</span>;
  return (
    <a class="turn-link fixed small" href={`#${encodeURIComponent(turn.id)}`} title="Link to this turn">
      {turn.at === undefined ? "#" : <Clock at={turn.at} />}
    </a>
  );
}

/** Lists images by type and size. The page never loads them. */
export function Images({ images }: { images: ShownTurn["images"] }) {
  if (images.length === 0) return null;
  return (
    <ul class="images flex wrap gap-2">
      {images.map((image, at) => (
        <li key={at}>
          <Icon of={ImageIcon} size={14} />
          <span>{image.name ?? image.kind}</span>
          {image.bytes > 0 && <span class="muted">{bytes(image.bytes)}</span>}
        </li>
      ))}
    </ul>
  );
}

const QUESTION = "What did it know here?";

/** Leads from a turn to what the model had received from Continuo by then. Only an icon if space is short. */
export function KnownLink(props: {
  session: { host: string; id: string };
  at: number | undefined;
  isIcon?: boolean;
}) {
  const { session, at, isIcon = false } = props;
  if (at === undefined) return null;
  const address = sessionAddress(session.host, session.id, { tab: "given", at: new Date(at).toISOString() });
  if (isIcon)
    return (
      <a class="known-link row-action muted" href={address} aria-label={QUESTION} title={QUESTION}>
        <Icon of={MessageCircleQuestionMark} size={14} />
      </a>
    );
  return (
    <a class="known-link small muted" href={address}>
      {QUESTION}
    </a>
  );
}
