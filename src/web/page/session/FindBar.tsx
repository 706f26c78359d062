import { Search } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FoundInSession } from "../../api/conversation.ts";
import type { SessionKey } from "../conversation/Clipped.tsx";
import { api, failureOf, sessionPath } from "../core/api.ts";
import { sentence } from "../core/format.ts";
import { useKeys } from "../core/keys.ts";
import { Icon } from "../parts/Icon.tsx";
import { Time } from "../parts/Time.tsx";

const TYPING_MS = 120;

/** Finds a passage in this session, by words and by meaning, and opens its turn. */
export function FindBar({ session, goTo }: { session: SessionKey; goTo: (turn: string) => void }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<FoundInSession & { readonly failure?: string }>();
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useKeys({ "/": { what: "find in this session", run: () => input.current?.focus() } });
  useEffect(() => {
    if (text.trim() === "") return setFound(undefined);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      api
        .get<FoundInSession>(
          sessionPath(session.host, session.id, "/conversation/find"),
          { q: text },
          controller.signal,
        )
        .catch((error: unknown) => ({ hits: [], failure: sentence(failureOf(error).message) }))
        .then((found) => {
          if (controller.signal.aborted) return;
          setFound(found);
          setOpen(true);
        });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, session]);
  const go = (turn: string) => {
    setOpen(false);
    goTo(turn);
  };
  return (
    <div
      class="find-in row relative grow muted"
      ref={box}
      role="search"
      onFocusOut={(event) => {
        if (!box.current?.contains(event.relatedTarget as Node | null)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          setOpen(false);
          input.current?.focus();
        }
        const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (step === 0 || !isOpen) return;
        event.preventDefault();
        const all = [...(box.current?.querySelectorAll<HTMLElement>("input, .find-hits button") ?? [])];
        const at = all.indexOf(document.activeElement as HTMLElement);
        all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
      }}
    >
      <Icon of={Search} size={14} />
      <input
        ref={input}
        type="search"
        value={text}
        placeholder="Find in this session"
        aria-label="Find in this session"
        onInput={(event) => setText(event.currentTarget.value)}
        onFocus={() => setOpen(found !== undefined)}
        onKeyDown={(event) => {
          const first = found?.hits[0];
          if (event.key === "Enter" && first !== undefined) go(first.turn);
        }}
      />
      {isOpen && found !== undefined && (
        <ul class="find-hits scroll pad-1 surface rounded" aria-label="Found passages">
          {found.hits.length === 0 && <li class="muted pad-2">{found.failure ?? "No matching passages."}</li>}
          {found.hits.map((hit, at) => (
            <li key={at}>
              <button type="button" class="plain stack full rounded-small" onClick={() => go(hit.turn)}>
                <span class="clamp break">{hit.snippet}</span>
                <span class="muted small">
                  {hit.role === "user" ? "You" : hit.role === "summary" ? "Summary" : "Agent"}
                  {hit.isAbandoned && ", abandoned branch"}
                  {hit.at !== undefined && (
                    <>
                      {", "}
                      <Time at={hit.at} />
                    </>
                  )}
                </span>
              </button>
            </li>
          ))}
          {found.isPart && (
            <li class="muted small pad-2">Only the newest part of this long session was searched.</li>
          )}
        </ul>
      )}
    </div>
  );
}
