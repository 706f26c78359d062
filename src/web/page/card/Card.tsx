import { ChevronDown, ChevronRight } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CardView } from "../../api/cards.ts";
import { isAbout, sessionPath } from "../core/api.ts";
import { useGet, useReturn } from "../core/resource.ts";
import { Icon } from "../parts/Icon.tsx";
import { Failed } from "../parts/States.tsx";
import { AddItem } from "./AddItem.tsx";
import { CardGroups } from "./CardGroups.tsx";
import { itemsOf, summaryOf } from "./summary.ts";

/** A session's context card: one line, or its sets with their current state. Beside an applet it starts as a line. */
export function Card({ host, id, isLine = false }: { host: string; id: string; isLine?: boolean }) {
  const card = useGet<CardView>(
    sessionPath(host, id, "/card"),
    {},
    isAbout({ host, id }, "context", "session"),
  );
  useReturn(card.reload);
  const [isOpen, setOpen] = useState(() => !isLine && !wasClosed(`${host}/${id}`));
  const fresh = useFresh(card.data);
  if (card.data === undefined) {
    if (card.failure === undefined) return <div class="card box surface card-waiting" aria-hidden="true" />;
    // An unknown session has no card, which its page already says.
    return card.failure.status === 404 ? null : <Failed failure={card.failure} retry={card.reload} />;
  }
  const panel = "context-card";
  const isEmpty = itemsOf(card.data).size + card.data.used.length === 0;
  return (
    <section class={`card box surface ${isEmpty ? "" : "card-filled"}`} aria-label="Session context">
      <button
        type="button"
        class="card-line plain row gap-tight full muted rounded"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => {
          if (!isLine) keepClosed(`${host}/${id}`, isOpen);
          setOpen(!isOpen);
        }}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
        <span class="card-label">Context</span>
        <span class="grow small clip" aria-live="polite">
          {isOpen ? "" : summaryOf(card.data)}
        </span>
      </button>
      {isOpen && (
        <div id={panel} class="card-body">
          <CardGroups card={card.data} fresh={fresh} />
          <AddItem card={card.data} />
        </div>
      )}
    </section>
  );
}

const FRESH_MS = 1600;
const NONE: ReadonlySet<string> = new Set();

/** Highlights for a moment what was added or changed by the last load. */
function useFresh(card: CardView | undefined): ReadonlySet<string> {
  const before = useRef<{ session: string; items: ReadonlySet<string> } | undefined>(undefined);
  const [fresh, setFresh] = useState(NONE);
  useEffect(() => {
    if (card === undefined) return;
    const session = `${card.session.host}/${card.session.id}`;
    const items = itemsOf(card);
    const old = before.current;
    before.current = { session, items };
    if (old === undefined || old.session !== session) return;
    const changed = new Set([...items].filter((item) => !old.items.has(item)));
    if (changed.size === 0) return;
    setFresh(changed);
  }, [card]);
  // Not in the effect above: a reload without changes must not prolong the highlight.
  useEffect(() => {
    if (fresh === NONE) return;
    const timer = setTimeout(() => setFresh(NONE), FRESH_MS);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}

const CLOSED = "continuo.closed-cards";
const MOST_CLOSED = 200;

function closedCards(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(CLOSED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
  } catch {
    return []; // no storage, or not ours
  }
}

function wasClosed(session: string): boolean {
  return closedCards().includes(session);
}

function keepClosed(session: string, isClosed: boolean): void {
  const others = closedCards().filter((one) => one !== session);
  try {
    localStorage.setItem(
      CLOSED,
      JSON.stringify([...others, ...(isClosed ? [session] : [])].slice(-MOST_CLOSED)),
    );
  } catch {
    // Without storage the choice lasts as long as the card.
  }
}
