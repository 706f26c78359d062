import { ShieldQuestion } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AskedPermission, AskedQuestion } from "../../api/chat.ts";
import { api } from "../core/api.ts";
import { useKeys } from "../core/keys.ts";
import { notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Code } from "../parts/code/Code.tsx";
import { Diff } from "../parts/diff/Diff.tsx";
import { Icon } from "../parts/Icon.tsx";

const TITLES: Readonly<Record<string, string>> = {
  command: "Run this command?",
  edit: "Change this file?",
  read: "Read this file?",
  url: "Open this address?",
  tool: "Call this tool?",
  rule: "One of your rules asks you to confirm this.",
};

/** Keys act only after a moment: nobody should allow something by what they were just typing. */
const KEYS_AFTER_MS = 600;

/** What the agent waits for: the oldest request with its keys; the others follow. */
export function Permission(props: { chat: string; request: AskedPermission; more: number }) {
  const { chat, request, more } = props;
  const [reason, setReason] = useState<string>();
  const [areKeysOn, setKeysOn] = useState(false);
  const [isSent, setSent] = useState(false);
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
  useEffect(() => {
    setReason(undefined);
    setSent(false);
    setKeysOn(false);
    const timer = setTimeout(() => setKeysOn(true), KEYS_AFTER_MS);
    const active = document.activeElement;
    const isWriting = active instanceof HTMLTextAreaElement && active.value !== "";
    if (!isWriting) card.current?.focus({ preventScroll: true });
    return () => clearTimeout(timer);
  }, [request.id]);
  useEffect(() => {
    if (reason !== undefined) field.current?.focus();
  }, [reason !== undefined]);
  useKeys(
    {
      y: { what: "allow once", run: () => decide({ answer: "once" }) },
      n: { what: "deny, with a reason", run: () => setReason("") },
      ...(request.sessionLabel === undefined
        ? {}
        : { s: { what: "allow for this session", run: () => decide({ answer: "session" }) } }),
    },
    areKeysOn && !isSent,
  );
  return (
    <section class="chat-ask" aria-label="Permission" aria-live="assertive" tabIndex={-1} ref={card}>
      <header>
        <Icon of={ShieldQuestion} />
        <h2>{TITLES[request.kind] ?? `Allow ${request.tool}?`}</h2>
        {more > 0 && <span class="muted small">{more} more waiting</span>}
      </header>
      {request.reason !== undefined && request.kind !== "edit" && <p class="muted">{request.reason}</p>}
      <Code text={request.detail} language={request.kind === "command" ? "bash" : ""} />
      {request.diff !== undefined && request.diff !== "" && (
        <div class="chat-ask-diff">
          <Diff text={request.diff.trim()} />
        </div>
      )}
      {reason === undefined ? (
        <div class="chat-ask-actions">
          <Button kind="primary" hint="y" disabled={isSent} onClick={() => decide({ answer: "once" })}>
            Allow once
          </Button>
          {request.sessionLabel !== undefined && (
            <Button hint="s" disabled={isSent} onClick={() => decide({ answer: "session" })}>
              Allow {request.sessionLabel} for this session
            </Button>
          )}
          <Button hint="n" disabled={isSent} onClick={() => setReason("")}>
            Deny
          </Button>
        </div>
      ) : (
        <form
          class="chat-ask-actions"
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

/** A question of the agent: choose, or write. */
export function Question({ chat, question }: { chat: string; question: AskedQuestion }) {
  const [text, setText] = useState("");
  const answer = (said: string) => {
    if (said.trim() === "") return;
    api
      .post(`/chats/${encodeURIComponent(chat)}/questions/${encodeURIComponent(question.id)}`, { text: said })
      .catch((error: unknown) => notifyFailure("Could not answer", error));
  };
  return (
    <section class="chat-ask" aria-label="Question of the agent" aria-live="assertive">
      <p class="chat-text">{question.question}</p>
      <div class="chat-ask-actions">
        {question.choices.map((choice) => (
          <Button key={choice} onClick={() => answer(choice)}>
            {choice}
          </Button>
        ))}
      </div>
      {(question.allowsText || question.choices.length === 0) && (
        <form
          class="chat-ask-actions"
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
