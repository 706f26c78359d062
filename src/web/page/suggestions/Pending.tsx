import { useState } from "preact/hooks";
import type { Decided, InboxList, Scope, Suggestion } from "../../api/suggestions.ts";
import { api } from "../core/api.ts";
import { count } from "../core/format.ts";
import { useKeys } from "../core/keys.ts";
import { dismiss, notify, notifyFailure } from "../core/notices.ts";
import { InlineCode } from "../parts/InlineCode.tsx";
import { Empty } from "../parts/States.tsx";
import { current, stillPending } from "./queue.ts";
import { SuggestionCard } from "./SuggestionCard.tsx";

interface Done {
  readonly id: string;
  readonly batch: Promise<string | undefined>;
  /** The notice about it, removed when the decision is undone. */
  notice?: number;
}

/** One suggestion at a time. A decision is shown at once, before the server's answer, and `u` undoes it. */
export function Pending({ list, reload }: { list: InboxList; reload: () => void }) {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<readonly Done[]>([]);
  const [chosen, choose] = useState<{ id: string | undefined; at: number }>({ id: undefined, at: 0 });
  const [isEditing, setEditing] = useState(false);
  const [scopes, setScopes] = useState<Readonly<Record<string, Scope>>>({});
  const pending = stillPending(list.pending, decided);
  const now = current(pending, chosen);
  const one = now?.one;
  const scope = one === undefined ? "everywhere" : (scopes[one.id] ?? one.scope);

  const show = (id: string, isHidden: boolean) =>
    setDecided((before) => {
      const after = new Set(before);
      if (isHidden) after.add(id);
      else after.delete(id);
      return after;
    });
  const decide = (what: Suggestion, send: () => Promise<Decided>) => {
    setEditing(false);
    show(what.id, true);
    choose({ id: undefined, at: now?.at ?? 0 });
    const answer = send();
    const batch = answer.then(
      (made) => made.batch,
      () => undefined,
    );
    const entry: Done = { id: what.id, batch };
    setDone((before) => [...before, entry]);
    answer.then(
      ({ message }) => {
        entry.notice = notify(message, { undo: () => undo(entry) });
      },
      (error: unknown) => {
        setDone((before) => before.filter((other) => other !== entry));
        show(what.id, false);
        notifyFailure("Not decided", error);
        reload();
      },
    );
  };
  const accept = (text?: string) => {
    if (one === undefined) return;
    const body = { ...(one.isFixed === true ? {} : { scope }), ...(text === undefined ? {} : { text }) };
    decide(one, () => api.post<Decided>(`/inbox/${encodeURIComponent(one.id)}/accept`, body));
  };
  const reject = () => {
    if (one !== undefined)
      decide(one, () => api.post<Decided>(`/inbox/${encodeURIComponent(one.id)}/reject`));
  };
  const mute = () => {
    if (one?.kind === "question")
      decide(one, () => api.post<Decided>(`/inbox/${encodeURIComponent(one.id)}/mute`));
  };
  const undo = (entry = done.at(-1)) => {
    if (entry === undefined) {
      notify("Nothing was decided here yet. Earlier decisions are under Decided.");
      return;
    }
    setDone((before) => before.filter((other) => other !== entry));
    void entry.batch.then(async (batch) => {
      if (batch === undefined) return;
      try {
        await api.post<Decided>("/inbox/undo", { batch });
        if (entry.notice !== undefined) dismiss(entry.notice);
        notify("Undone");
      } catch (error) {
        notifyFailure("Not undone", error);
      }
      show(entry.id, false);
      choose({ id: entry.id, at: 0 });
      reload();
    });
  };
  const move = (step: number) => {
    if (now === undefined || pending.length === 0) return;
    const at = (now.at + step + pending.length) % pending.length;
    setEditing(false);
    choose({ id: pending[at]?.id, at });
  };
  const switchScope = (to: Scope) => {
    if (one?.project !== undefined && one.isFixed !== true)
      setScopes((before) => ({ ...before, [one.id]: to }));
  };

  useKeys({ u: { what: "undo the last decision", run: () => undo() } }, !isEditing);
  useKeys(
    {
      a: { what: "accept the suggestion", run: () => accept() },
      e: { what: "edit, then accept", run: () => setEditing(one?.kind !== "question") },
      r: { what: "reject: never suggest it again", run: reject },
      m: { what: "for a rule that agents keep breaking: stop checking it", run: mute },
      s: {
        what: "switch between this project and everywhere",
        run: () => switchScope(scope === "everywhere" ? "project" : "everywhere"),
      },
      j: { what: "decide later: next suggestion", run: () => move(1) },
      k: { what: "previous suggestion", run: () => move(-1) },
    },
    !isEditing && one !== undefined,
  );

  if (now === undefined || one === undefined) return <NothingPending list={list} />;
  return (
    <>
      <div class="flex wrap between gap-2 muted pad-bottom-3">
        <p aria-live="polite">
          {now.at + 1} of {count(pending.length, "suggestion")}
        </p>
        <p class="inbox-keys">
          <kbd>j</kbd> <kbd>k</kbd> next, previous&ensp;<kbd>u</kbd> undo
        </p>
      </div>
      <SuggestionCard
        key={one.id}
        one={one}
        scope={scope}
        setScope={switchScope}
        isEditing={isEditing}
        setEditing={setEditing}
        accept={accept}
        reject={reject}
        mute={mute}
        later={pending.length > 1 ? () => move(1) : undefined}
      />
      {pending.length > 1 && (
        <ol class="inbox-queue rows" aria-label="All pending suggestions">
          {pending.map((other) => (
            <li key={other.id}>
              <button
                type="button"
                class="plain flex gap-4 full pad-2 hover"
                {...(other.id === one.id && { "aria-current": "true" })}
                onClick={() => {
                  setEditing(false);
                  choose({ id: other.id, at: 0 });
                }}
              >
                <span class="clip grow">
                  <InlineCode text={other.text} />
                </span>
                <span class="muted nowrap">{other.project ?? "everywhere"}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function NothingPending({ list }: { list: InboxList }) {
  const { decided } = list.counts;
  return (
    <Empty title={decided === 0 ? "No suggestions yet" : "Nothing to decide"}>
      <p>
        When you tell an agent how you want to work (“use pnpm here”, “ask before you commit”), Continuo
        suggests a learning once the session goes idle. What can be checked (“never use any”) is also
        suggested as a check. Nothing is learned or enforced without you.
      </p>
    </Empty>
  );
}
