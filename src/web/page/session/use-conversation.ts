import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Conversation } from "../../api/conversation.ts";
import { type ApiFailure, api, failureOf, isAbout, sessionPath } from "../core/api.ts";
import { onEvent } from "../core/events.ts";
import { asList, type TurnList, withEarlier, withLater } from "./turn-list.ts";

export interface LoadedConversation {
  readonly list: TurnList | undefined;
  readonly failure: ApiFailure | undefined;
  /** Why it does not continue, although turns are shown: the transcript or the session was removed meanwhile. */
  readonly lost: "transcript" | "session" | undefined;
  readonly isSlow: boolean;
  earlier(): Promise<void>;
  later(): Promise<void>;
  /** Shows the end, the beginning, or the part around a turn. False if that turn does not exist. */
  open(where: Where): Promise<boolean>;
}

export type Where = "end" | "start" | { readonly turn: string };

const SLOW_MS = 150;

/** Loads a conversation in parts, and what is added to it while it is shown. */
export function useConversation(
  host: string,
  id: string,
  first: Where,
  onLive: () => void,
): LoadedConversation {
  const [list, setList] = useState<TurnList>();
  const [failure, setFailure] = useState<ApiFailure>();
  const [lost, setLost] = useState<"transcript" | "session">();
  const [isSlow, setSlow] = useState(false);
  const now = useRef({ list, onLive });
  now.current = { list, onLive };

  const loader = useMemo(() => {
    let busy: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const get = (query: Record<string, string>) =>
      api.get<Conversation>(sessionPath(host, id, "/conversation"), query);
    const show = (next: TurnList): void => {
      if (isOver) return;
      now.current.list = next;
      setList(next);
      setFailure(undefined);
    };
    const fail = (error: unknown): void => {
      if (isOver) return;
      const failure = failureOf(error);
      if (failure.code === "no-such-session" && now.current.list !== undefined) setLost("session");
      else setFailure(failure);
    };
    /** One request at a time, because each begins where the previous one ended. */
    const queued = <T>(work: () => Promise<T>): Promise<T> => {
      const next = busy.then(work, work);
      busy = next.catch(() => undefined);
      return next;
    };
    const open = (where: Where): Promise<boolean> =>
      queued(async () => {
        try {
          const query =
            where === "end" ? {} : where === "start" ? { after: "start" } : { around: where.turn };
          show(asList(await get(query as Record<string, string>)));
          return true;
        } catch (error) {
          if (failureOf(error).code === "no-such-turn") return false;
          fail(error);
          return true;
        }
      });
    const more = (
      query: (list: TurnList) => Record<string, string> | undefined,
      joined: (list: TurnList, page: Conversation) => TurnList | Promise<TurnList>,
    ): Promise<void> =>
      queued(async () => {
        const { list } = now.current;
        const asked = list && query(list);
        if (list === undefined || asked === undefined) return;
        try {
          const page = await get(asked);
          // Keep what is shown, because the index contains less than the transcript did.
          if (page.source === "index" && list.source === "transcript") return setLost("transcript");
          setLost(undefined);
          show(await joined(list, page));
        } catch (error) {
          fail(error);
        }
      });
    const later = () =>
      more(
        ({ after }) => ({ after }),
        async (list, page) => (page.isReset ? asList(await get({})) : withLater(list, page)),
      );
    const earlier = () =>
      more(
        ({ before }) => (before === null ? undefined : { before }),
        (list, page) => (page.isReset ? asList(page) : withEarlier(list, page)),
      );
    const end = () => {
      isOver = true;
    };
    return { open, later, earlier, end };
  }, [host, id]);

  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    setList(undefined);
    setFailure(undefined);
    setLost(undefined);
    now.current.list = undefined;
    void loader
      .open(first)
      .then((isThere) => (isThere ? undefined : loader.open("end")))
      .finally(() => {
        clearTimeout(timer);
        setSlow(false);
      });
    const stop = onEvent((event) => {
      const isThis = event.type === "reset" || isAbout({ host, id })(event);
      // If the user reads further up, nothing is loaded: the end is loaded when they scroll to it.
      if (!isThis || now.current.list?.isEnd !== true) return;
      void loader.later().then(() => now.current.onLive());
    });
    return () => {
      clearTimeout(timer);
      stop();
      loader.end();
    };
  }, [loader]);

  return { list, failure, lost, isSlow, earlier: loader.earlier, later: loader.later, open: loader.open };
}
