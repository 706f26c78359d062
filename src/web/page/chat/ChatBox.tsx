import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ChatState } from "../../api/chat.ts";
import { Card } from "../card/Card.tsx";
import { Blocks } from "../conversation/BlockView.tsx";
import { blocksOf } from "../conversation/blocks.ts";
import { useReadingPlace } from "../conversation/use-reading-place.ts";
import { useAction } from "../core/action.ts";
import { addressOf } from "../core/address.ts";
import { api } from "../core/api.ts";
import { connection } from "../core/events.ts";
import { count, number } from "../core/format.ts";
import { useKeys } from "../core/keys.ts";
import { notifyFailure } from "../core/notices.ts";
import { hostLabel } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Failed } from "../parts/States.tsx";
import { Permission, Question } from "./Asks.tsx";
import { Composer } from "./Composer.tsx";
import { type OpenChat, useChat } from "./use-chat.ts";

/** Sessions that the Copilot SDK can resume: its own and those of Copilot CLI. */
const CHAT_HOST = "copilot";

/**
 * Lets the user continue a session: in place if Copilot can resume it, otherwise in a new chat. `children` is the
 * session's transcript; while the session runs in this server, the live conversation replaces it.
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
  const { failure, isRunning, run } = useAction();
  const { route } = useLocation();
  const handOff = () => route(addressOf("/chat", { host, id }));
  if (host !== CHAT_HOST)
    return (
      <aside class="chat-hand-off row wrap between pad-y-2 line-top">
        <span class="muted">This session continues in {hostLabel(host)}.</span>
        <Button kind="quiet" title="The new chat gets a summary of this session" onClick={handOff}>
          Continue in a new chat
        </Button>
      </aside>
    );
  if (chat.failure !== undefined) return <Failed failure={chat.failure} />;
  return (
    <aside class="chat-continue stack start gap-3 surface line-top">
      {failure && <Failed failure={failure} />}
      <div class="row wrap gap-2">
        <Button kind="primary" disabled={isRunning} onClick={() => void run(chat.resume)}>
          {isRunning ? "Resuming…" : "Continue here"}
        </Button>
        {failure && <Button onClick={handOff}>Continue in a new chat</Button>}
      </div>
    </aside>
  );
}

function Live({ id, chat, state }: { id: string; chat: OpenChat; state: ChatState }) {
  const [returned, setReturned] = useState("");
  const isWorking = state.status === "working" && chat.isOpen === true;
  const session = useMemo(() => ({ host: state.host, id }), [state.host, id]);
  const blocks = useMemo(() => blocksOf(state.turns), [state.turns]);
  const column = useRef<HTMLDivElement>(null);
  const place = useReadingPlace(column);
  useLayoutEffect(() => place.afterChange(), [state]);
  const attempt = useRef<{ text: string; key: string } | undefined>(undefined);

  const send = async (text: string) => {
    // A retried message keeps its key, so that it cannot be sent twice.
    if (attempt.current?.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    try {
      if (chat.isOpen !== true) await chat.resume();
      await api.post(`/chats/${encodeURIComponent(id)}/messages`, attempt.current);
      attempt.current = undefined;
      place.keep("end");
      place.toEnd();
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
  const resumed = blocks.findLast((block) => block.kind === "boundary" && block.what === "resumed");
  return (
    <div class="chat stack grow gap-4 pad-top-4">
      {state.hasEarlier && (
        <p class="boundary row gap-3 muted small">Earlier parts are in the session's transcript.</p>
      )}
      {state.turns.length === 0 && <p class="boundary row gap-3 muted small">Write the first message.</p>}
      <Blocks
        {...{ blocks, session, column, place }}
        isLive
        after={(block) =>
          block === resumed && (
            <div class="chat-card">
              <Card host={state.host} id={id} />
            </div>
          )
        }
      />
      {isWorking && request === undefined && question === undefined && <Working />}
      {chat.isOpen === true && request !== undefined && (
        <Permission key={request.id} chat={id} request={request} more={state.requests.length - 1} />
      )}
      {chat.isOpen === true && question !== undefined && (
        <Question key={question.id} chat={id} question={question} />
      )}
      <div class="chat-end stack gap-2 surface">
        {state.queue.map(({ key, text }) => (
          <p key={key} class="chat-queued clip rounded" title={text}>
            <span class="muted small">Next</span> {text}
          </p>
        ))}
        {chat.isOpen === false && (
          <p class="boundary row gap-3 muted small">
            The server was restarted. Your next message resumes this session.
          </p>
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
        <p class="chat-usage muted small break">
          {[state.model, usageLine(state)].filter((part) => part !== "").join(" · ")}
        </p>
      </div>
    </div>
  );
}

function Working() {
  return (
    <p class="row gap-2 muted" role="status">
      <span class="dot pulse" aria-hidden="true" />
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
