import { ShieldQuestion } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AskedPermission, AskedQuestion } from "../../api/chat.ts";
import { api } from "../core/api.ts";
import { useKeys } from "../core/keys.ts";
import { notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { useCalm } from "./use-calm.ts";
import { Inline, Whole } from "./Whole.tsx";

const TITLES: Readonly<Record<string, string>> = {
  command: "Run this command?",
  edit: "Change this file?",
  read: "Read this file?",
  url: "Open this address?",
  tool: "Call this tool?",
  rule: "One of your rules asks you to confirm this.",
};

/** By their title, what is done is the tool's. */
const HAS_TOOL = new Set(["tool", "rule", "other"]);

/**
 * What the agent waits for: the oldest request with its keys; the others follow. Each has an element of its own (`key`).
 * What the model wrote is marked as its own words, and can be allowed only after its end was on the screen.
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
    <section class="chat-ask" aria-label="Permission" aria-live="assertive" tabIndex={-1} ref={card}>
      <header>
        <Icon of={ShieldQuestion} />
        <h2>{TITLES[request.kind] ?? "Allow this?"}</h2>
        {more > 0 && <span class="muted small">{more} more waiting</span>}
      </header>
      {HAS_TOOL.has(request.kind) && request.tool !== "" && (
        <p class="small">
          <span class="muted">Tool:</span> <Inline text={request.tool} />
        </p>
      )}
      <Whole text={request.detail} onEnd={() => see("detail")} />
      {request.target !== undefined && (
        <p class="chat-ask-warning">
          This path leads through a link. The real file is <Inline text={request.target} />
        </p>
      )}
      {hasDiff && <Whole text={request.diff ?? ""} form="diff" onEnd={() => see("diff")} />}
      {request.kind === "edit" && !hasDiff && (
        <p class="chat-ask-warning">The agent's program does not say what changes in the file.</p>
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
        <div class="chat-ask-actions">
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
  const isCalm = useCalm();
  const answer = (said: string) => {
    if (said.trim() === "") return;
    api
      .post(`/chats/${encodeURIComponent(chat)}/questions/${encodeURIComponent(question.id)}`, { text: said })
      .catch((error: unknown) => notifyFailure("Could not answer", error));
  };
  return (
    <section class="chat-ask" aria-label="Question of the agent" aria-live="assertive">
      <div class="chat-ask-said">
        <span class="muted small">The agent asks:</span>
        <blockquote class="chat-text">{question.question}</blockquote>
      </div>
      <div class="chat-ask-actions">
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
