import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ChatState } from "../../api/chat.ts";
import { Card } from "../card/Card.tsx";
import { addressOf } from "../core/address.ts";
import { type ApiFailure, api, failureOf } from "../core/api.ts";
import { connection } from "../core/events.ts";
import { count, number } from "../core/format.ts";
import { useKeys } from "../core/keys.ts";
import { notifyFailure } from "../core/notices.ts";
import { hostLabel } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Failed } from "../parts/States.tsx";
import { Permission, Question } from "./Asks.tsx";
import { Composer } from "./Composer.tsx";
import { Entry } from "./Entries.tsx";
import { type OpenChat, useChat } from "./use-chat.ts";

/** Sessions that the Copilot SDK can resume: its own and those of Copilot CLI. */
export const CHAT_HOST = "copilot";

/**
 * Where a person continues a session: in place if Copilot can resume it, else in a new chat. `children` is the session's
 * transcript; while the session runs in this server, the live conversation takes its place.
 */
export function ChatBox(props: { host: string; id: string; children?: ComponentChildren }) {
  const { host, id, children } = props;
  const chat = useChat(id, host === CHAT_HOST);
  if (chat.state !== undefined) return <Live id={id} chat={chat} state={chat.state} />;
  if (host === CHAT_HOST && chat.isOpen === undefined && chat.failure === undefined) return null;
  return (
    <>
      {children}
      <Offer host={host} id={id} chat={chat} />
    </>
  );
}

function Offer({ host, id, chat }: { host: string; id: string; chat: OpenChat }) {
  if (host !== CHAT_HOST) return <HandOff host={host} id={id} />;
  if (chat.failure !== undefined) return <Failed failure={chat.failure} />;
  return <Continue host={host} id={id} chat={chat} />;
}

function HandOff({ host, id }: { host: string; id: string }) {
  const { route } = useLocation();
  return (
    <aside class="chat-hand-off">
      <span class="muted">This session continues in {hostLabel(host)}.</span>
      <Button
        kind="quiet"
        title="The new chat gets a summary of this session"
        onClick={() => route(addressOf("/chat", { host, id }))}
      >
        Continue in a new chat
      </Button>
    </aside>
  );
}

function Continue({ host, id, chat }: { host: string; id: string; chat: OpenChat }) {
  const [failure, setFailure] = useState<ApiFailure>();
  const [isOpening, setOpening] = useState(false);
  const { route } = useLocation();
  const open = () => {
    setOpening(true);
    chat
      .resume()
      .catch((error: unknown) => setFailure(failureOf(error)))
      .finally(() => setOpening(false));
  };
  return (
    <aside class="chat-continue">
      {failure && <Failed failure={failure} />}
      <div class="chat-ask-actions">
        <Button kind="primary" disabled={isOpening} onClick={open}>
          {isOpening ? "Resuming…" : "Continue here"}
        </Button>
        {failure && (
          <Button onClick={() => route(addressOf("/chat", { host, id }))}>Continue in a new chat</Button>
        )}
      </div>
    </aside>
  );
}

function Live({ id, chat, state }: { id: string; chat: OpenChat; state: ChatState }) {
  const [returned, setReturned] = useState("");
  const isWorking = state.status === "working" && chat.isOpen === true;
  const end = useStayAtEnd(state.seq);
  const attempt = useRef<{ text: string; key: string } | undefined>(undefined);

  const send = async (text: string) => {
    // The same message keeps its key when it is tried again, so that it cannot be sent twice.
    if (attempt.current?.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    try {
      if (chat.isOpen !== true) await chat.resume();
      await api.post(`/chats/${encodeURIComponent(id)}/messages`, attempt.current);
      attempt.current = undefined;
      end.stay();
    } catch (error) {
      notifyFailure("Not sent", error);
      throw error;
    }
  };
  const stop = () => {
    setReturned("");
    api.post<{ unsent: readonly string[] }>(`/chats/${encodeURIComponent(id)}/stop`).then(
      ({ unsent }) => setReturned(unsent.join("\n\n")),
      (error: unknown) => notifyFailure("Could not stop", error),
    );
  };
  useKeys({ Esc: { what: "stop the agent", run: stop, whileTyping: true } }, isWorking);

  const [request] = state.requests;
  const [question] = state.questions;
  const resumed = state.entries.findLast((entry) => entry.kind === "note" && entry.what === "resumed");
  return (
    <div class="chat">
      <div class="chat-log" role="log" aria-label="Conversation" aria-live="polite">
        {state.hasEarlier && <p class="chat-note">Earlier parts are in the session's transcript.</p>}
        {state.entries.map((entry) => (
          <div key={entry.key} class="chat-entry">
            <Entry entry={entry} />
            {entry === resumed && (
              <div class="chat-card">
                <Card host={state.host} id={id} />
              </div>
            )}
          </div>
        ))}
        {state.entries.length === 0 && <p class="chat-note">Write the first message.</p>}
        {isWorking && request === undefined && question === undefined && <Working />}
      </div>
      {chat.isOpen === true && request !== undefined && (
        <Permission key={request.id} chat={id} request={request} more={state.requests.length - 1} />
      )}
      {chat.isOpen === true && question !== undefined && (
        <Question key={question.id} chat={id} question={question} />
      )}
      <div class="chat-end">
        {state.queue.map(({ key, text }) => (
          <p key={key} class="chat-queued clip" title={text}>
            <span class="muted small">Next</span> {text}
          </p>
        ))}
        {chat.isOpen === false && (
          <p class="chat-note">The server was restarted. Your next message resumes this session.</p>
        )}
        <Composer
          name={id}
          about={{ project: state.project.root, id }}
          label="Message"
          placeholder={isWorking ? "Add a message to the queue" : "Write a message"}
          isWorking={isWorking}
          returned={returned}
          send={send}
          stop={stop}
          disabled={connection.value === "lost"}
        />
        <p class="chat-usage muted small">
          {[state.model, usageLine(state)].filter((part) => part !== "").join(" · ")}
        </p>
      </div>
      <div ref={end.mark} />
    </div>
  );
}

function Working() {
  return (
    <p class="chat-working" role="status">
      <span class="chat-dot" aria-hidden="true" />
      Working
    </p>
  );
}

function usageLine({ usage }: ChatState): string {
  if (usage.calls === 0) return "";
  const cost = usage.cost > 0 ? ` · cost ${usage.cost.toFixed(4)}` : "";
  const cached = usage.cacheRead > 0 ? ` (${number(usage.cacheRead)} from the cache)` : "";
  return `${count(usage.calls, "model call")} · ${number(usage.input)} tokens in${cached} · ${number(usage.output)} out${cost}`;
}

const NEAR_PX = 120;
/** What scrolls on the pages that show a chat. */
const SCROLLS = ".session-scroll, main";

/** Stays at the end while more arrives, unless the person has scrolled up. */
function useStayAtEnd(change: number): { mark: { current: HTMLDivElement | null }; stay(): void } {
  const mark = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const area = mark.current?.closest(SCROLLS);
    if (!area) return;
    const look = () => {
      isAtEnd.current = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_PX;
    };
    area.addEventListener("scroll", look, { passive: true });
    return () => area.removeEventListener("scroll", look);
  }, []);
  const go = () => {
    const area = mark.current?.closest(SCROLLS);
    if (area) area.scrollTop = area.scrollHeight;
  };
  useLayoutEffect(() => {
    if (!isAtEnd.current) return;
    go();
    // Markdown is drawn a moment later.
    const timer = setTimeout(() => isAtEnd.current && go(), 100);
    return () => clearTimeout(timer);
  }, [change]);
  return {
    mark,
    stay() {
      isAtEnd.current = true;
      go();
    },
  };
}
