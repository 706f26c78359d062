import { ShieldQuestion } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AskedPermission, AskedQuestion } from "../../api/chat.ts";
import { attempt } from "../core/action.ts";
import { api } from "../core/api.ts";
import { useKeys } from "../core/keys.ts";
import { notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Inline, Whole } from "./Whole.tsx";

const TITLES: Readonly<Record<string, string>> = {
  command: "Run this command?",
  edit: "Change this file?",
  read: "Read this file?",
  url: "Open this address?",
  tool: "Call this tool?",
  rule: "One of your rules asks you to confirm this.",
};

/** Requests whose action is named by the tool. */
const HAS_TOOL = new Set(["tool", "rule", "other"]);

/**
 * The requests that the agent waits for: the oldest one with its keys, then the others. Each needs its own `key`. The
 * model's own words are marked as such. A request can be allowed only after its end was visible.
 */
export function Permission(props: { chat: string; request: AskedPermission; more: number }) {
  const { chat, request, more } = props;
  const [reason, setReason] = useState<string>();
  const isCalm = useCalm();
  const [isSent, setSent] = useState(false);
  const [seen, setSeen] = useState<readonly string[]>([]);
  const see = (part: string) => setSeen((before) => [...before, part]);
  const card = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const decide = (body: object) => {
    setSent(true);
    api
      .post(`/chats/${encodeURIComponent(chat)}/requests/${encodeURIComponent(request.id)}`, body)
      .catch((error: unknown) => {
        setSent(false);
        notifyFailure("Could not answer", error);
      });
  };
  const hasDiff = request.diff !== undefined && request.diff.trim() !== "";
  const isSeen = seen.includes("detail") && (!hasDiff || seen.includes("diff"));
  const canDeny = isCalm && !isSent;
  const canAllow = canDeny && isSeen;
  useEffect(() => {
    const active = document.activeElement;
    const isWriting = active instanceof HTMLTextAreaElement && active.value !== "";
    if (!isWriting) card.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    if (reason !== undefined) field.current?.focus();
  }, [reason !== undefined]);
  useKeys(
    {
      n: { what: "deny, with a reason", run: () => setReason("") },
      ...(canAllow ? { y: { what: "allow once", run: () => decide({ answer: "once" }) } } : {}),
      ...(request.sessionLabel === undefined || !canAllow
        ? {}
        : { s: { what: "allow for this session", run: () => decide({ answer: "session" }) } }),
    },
    canDeny,
  );
  return (
    <section
      class="chat-ask stack gap-3 pad-4 rounded surface"
      aria-label="Permission"
      aria-live="assertive"
      tabIndex={-1}
      ref={card}
    >
      <header class="row gap-2">
        <Icon of={ShieldQuestion} />
        <h2 class="grow">{TITLES[request.kind] ?? "Allow this?"}</h2>
        {more > 0 && <span class="muted small">{more} more waiting</span>}
      </header>
      {HAS_TOOL.has(request.kind) && request.tool !== "" && (
        <p class="small">
          <span class="muted">Tool:</span> <Inline text={request.tool} />
        </p>
      )}
      <Whole text={request.detail} onEnd={() => see("detail")} />
      {request.target !== undefined && (
        <p class="warn">
          This path leads through a link. The real file is <Inline text={request.target} />
        </p>
      )}
      {hasDiff && <Whole text={request.diff ?? ""} form="diff" onEnd={() => see("diff")} />}
      {request.kind === "edit" && !hasDiff && (
        <p class="warn">The agent's program does not say what changes in the file.</p>
      )}
      {request.reason !== undefined && request.kind !== "edit" && (
        <div class="chat-ask-said small">
          <span class="muted">{request.kind === "rule" ? "The rule says:" : "The agent says:"}</span>
          <blockquote>
            <Inline text={request.reason} />
          </blockquote>
        </div>
      )}
      {!isSeen && <p class="muted small">You can allow it once you have seen all of it.</p>}
      {reason === undefined ? (
        <div class="chat-ask-actions row wrap gap-2">
          <Button kind="primary" hint="y" disabled={!canAllow} onClick={() => decide({ answer: "once" })}>
            Allow once
          </Button>
          {request.sessionLabel !== undefined && (
            <Button hint="s" disabled={!canAllow} onClick={() => decide({ answer: "session" })}>
              <span>
                Allow <Inline text={request.sessionLabel} /> for this session
              </span>
            </Button>
          )}
          <Button hint="n" disabled={!canDeny} onClick={() => setReason("")}>
            Deny
          </Button>
        </div>
      ) : (
        <form
          class="chat-ask-actions row wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            decide({ answer: "deny", reason });
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            setReason(undefined);
            card.current?.focus();
          }}
        >
          <input
            ref={field}
            value={reason}
            aria-label="Reason, for the agent"
            placeholder="Why not? The agent reads this (optional)"
            maxLength={2000}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
          <Button kind="danger" type="submit" disabled={isSent}>
            Deny
          </Button>
          <Button kind="quiet" onClick={() => setReason(undefined)}>
            Back
          </Button>
        </form>
      )}
    </section>
  );
}

/** A question by the agent, answered by a choice or with text. */
export function Question({ chat, question }: { chat: string; question: AskedQuestion }) {
  const [text, setText] = useState("");
  const isCalm = useCalm();
  const answer = (said: string) => {
    if (said.trim() === "") return;
    const path = `/chats/${encodeURIComponent(chat)}/questions/${encodeURIComponent(question.id)}`;
    void attempt("Could not answer", () => api.post(path, { text: said }));
  };
  return (
    <section
      class="chat-ask stack gap-3 pad-4 rounded surface"
      aria-label="Question of the agent"
      aria-live="assertive"
    >
      <div class="chat-ask-said">
        <span class="muted small">The agent asks:</span>
        <blockquote class="pre-wrap break">{question.question}</blockquote>
      </div>
      <div class="chat-ask-actions row wrap gap-2">
        {question.choices.map((choice) => (
          <Button key={choice} disabled={!isCalm} onClick={() => answer(choice)}>
            <q>
              <Inline text={choice} />
            </q>
          </Button>
        ))}
      </div>
      {(question.allowsText || question.choices.length === 0) && (
        <form
          class="chat-ask-actions row wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            answer(text);
          }}
        >
          <input
            value={text}
            aria-label="Your answer"
            placeholder="Write an answer"
            maxLength={20000}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <Button kind="primary" type="submit" disabled={text.trim() === ""}>
            Answer
          </Button>
        </form>
      )}
    </section>
  );
}

const CALM_MS = 600;

/**
 * True once nobody has clicked or typed for a moment since this was shown, so that a double click or text being typed
 * does not answer a request that the user has not seen.
 */
function useCalm(): boolean {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    if (isCalm) return;
    const start = () => setTimeout(() => setCalm(true), CALM_MS);
    let timer = start();
    const again = () => {
      clearTimeout(timer);
      timer = start();
    };
    const kinds = ["keydown", "pointerdown"] as const;
    for (const kind of kinds) addEventListener(kind, again, true);
    return () => {
      clearTimeout(timer);
      for (const kind of kinds) removeEventListener(kind, again, true);
    };
  }, [isCalm]);
  return isCalm;
}
