import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatChange, ChatState } from "../../api/chat.ts";
import { type ApiFailure, api, failureOf } from "../core/api.ts";
import { onEvent } from "../core/events.ts";
import { applyChanges } from "./chat-state.ts";

export interface OpenChat {
  /** The last known state. Kept when the server is restarted. */
  readonly state: ChatState | undefined;
  /** undefined until the server has answered. */
  readonly isOpen: boolean | undefined;
  readonly failure: ApiFailure | undefined;
  /** Opens the chat in the server, unless it is open. */
  resume(): Promise<void>;
}

/** A chat that runs in the server, with live updates. Updates at most once per frame, however fast the model writes. */
export function useChat(id: string, isOn = true): OpenChat {
  const [state, setState] = useState<ChatState>();
  const [isOpen, setOpen] = useState<boolean>();
  const [failure, setFailure] = useState<ApiFailure>();
  const shown = useRef<ChatState | undefined>(undefined);
  const load = useRef<() => void>(() => undefined);

  function show(next: ChatState): void {
    shown.current = next;
    setState(next);
    setOpen(true);
    setFailure(undefined);
  }

  useEffect(() => {
    shown.current = undefined;
    setState(undefined);
    setOpen(isOn ? undefined : false);
    if (!isOn) return;
    const controller = new AbortController();
    let waiting: ChatChange[] = [];
    let frame = 0;
    let isLoading = false;

    load.current = () => {
      if (isLoading) return;
      isLoading = true;
      api
        .get<{ chat?: ChatState }>(`/chats/${encodeURIComponent(id)}`, undefined, controller.signal)
        .then(
          ({ chat }) => (chat === undefined ? setOpen(false) : show(chat)),
          (error: unknown) => {
            if (controller.signal.aborted) return;
            const failed = failureOf(error);
            // Without an answer the connection is lost, which the page shows elsewhere.
            if (failed.code !== "no-answer") setFailure(failed);
          },
        )
        .finally(() => {
          isLoading = false;
          if (!controller.signal.aborted && waiting.length > 0) later();
        });
    };
    function apply(): void {
      frame = 0;
      const before = shown.current;
      if (isLoading) return; // the state being loaded may contain them
      const changes = waiting;
      waiting = [];
      const next = before === undefined ? undefined : applyChanges(before, changes);
      if (next === undefined) load.current();
      else if (next !== before) show(next);
    }
    function later(): void {
      // A hidden page gets no animation frames.
      if (document.hidden) setTimeout(apply, 200);
      else if (frame === 0) frame = requestAnimationFrame(apply);
    }
    const stop = onEvent((event) => {
      if (event.type === "reset") load.current();
      if (event.type !== "chat" || event.chat !== id) return;
      waiting.push(event.event);
      later();
    });
    load.current();
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
      stop();
    };
  }, [id, isOn]);

  return {
    state,
    isOpen,
    failure,
    async resume() {
      show(await api.post<ChatState>("/chats", { resume: id }));
    },
  };
}
