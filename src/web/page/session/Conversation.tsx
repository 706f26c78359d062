import { ArrowDownToLine, ArrowUpToLine } from "lucide";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Outline } from "../../api/conversation.ts";
import { Blocks } from "../conversation/BlockView.tsx";
import { blockOf, blocksOf } from "../conversation/blocks.ts";
import type { SessionKey } from "../conversation/Clipped.tsx";
import { useReadingPlace } from "../conversation/use-reading-place.ts";
import { api, sessionPath } from "../core/api.ts";
import { useKeys } from "../core/keys.ts";
import { Button } from "../parts/Button.tsx";
import { Empty, Failed, Skeleton } from "../parts/States.tsx";
import { FindBar } from "./FindBar.tsx";
import { hereAt } from "./MarkBar.tsx";
import type { TurnList } from "./turn-list.ts";
import { useConversation } from "./use-conversation.ts";

/** The conversation of a session, opened at its end or at the turn in the address. */
export function Conversation({ host, id, outline }: SessionKey & { outline: Outline | undefined }) {
  const session = useMemo(() => ({ host, id }), [host, id]);
  const column = useRef<HTMLDivElement>(null);
  const wanted = useRef(turnInAddress());
  const place = useReadingPlace(column);
  const [isMissing, setMissing] = useState(false);
  const observe = () => {
    if (document.visibilityState !== "visible") return;
    // Nothing depends on it: it is sent again the next time.
    api.post(sessionPath(host, id, "/observe")).catch(() => undefined);
  };
  const loaded = useConversation(
    host,
    id,
    wanted.current === undefined ? "end" : { turn: wanted.current },
    observe,
  );
  const { list, failure, lost, isSlow } = loaded;
  const blocks = useMemo(() => blocksOf(list?.turns ?? []), [list?.turns]);
  const totals = useMemo(
    () => new Map(outline?.prompts.filter(({ turn, last }) => turn !== last).map((one) => [one.last, one])),
    [outline],
  );
  const top = place.top.value;
  useEffect(() => {
    hereAt.value = list?.turns.find((one) => one.id === top)?.at;
  }, [top, list]);
  useEffect(observe, [host, id]);

  const show = (turn: string): boolean => {
    const block = blockOf(blocks, turn);
    return block !== undefined && place.show(block.turn.id);
  };
  const goTo = async (turn: string) => {
    setMissing(false);
    wanted.current = turn;
    if (show(turn)) return;
    place.keep("free");
    if (!(await loaded.open({ turn }))) setMissing(true);
  };
  const goToEnd = async () => {
    wanted.current = undefined;
    place.keep("end");
    if (list?.isEnd !== true) await loaded.open("end");
    place.toEnd();
  };
  const goToStart = async () => {
    wanted.current = undefined;
    place.keep("start");
    if (list?.before !== null) await loaded.open("start");
    place.toStart();
  };

  const follow = () => {
    const turn = turnInAddress();
    if (turn !== undefined) void goTo(turn);
  };
  // A link to a turn of this session, such as a search hit in the side panel, causes no `hashchange`.
  const { url } = useLocation();
  const hasUrl = useRef(false);
  useEffect(() => {
    if (hasUrl.current) follow();
    hasUrl.current = true;
  }, [url]);
  useEffect(() => {
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  });
  useLayoutEffect(() => {
    if (list === undefined) return;
    const turn = wanted.current;
    if (turn !== undefined && show(turn)) wanted.current = undefined;
    else place.afterChange();
  }, [blocks]);
  useEffect(() => place.watchEnds(loaded.earlier, loaded.later), [list?.before, list?.after, list?.isEnd]);

  useKeys({
    j: { what: "next prompt", run: () => place.step(1) },
    k: { what: "previous prompt", run: () => place.step(-1) },
    Home: { what: "first turn of the session", run: () => void goToStart() },
    End: { what: "last turn of the session", run: () => void goToEnd() },
  });

  if (list === undefined) {
    if (failure !== undefined) return <Failed failure={failure} retry={() => void loaded.open("end")} />;
    return isSlow ? <Skeleton lines={12} /> : null;
  }
  return (
    <>
      <div class="conversation-bar row gap-1 pad-y-2 surface">
        <FindBar session={session} goTo={(turn) => void goTo(turn)} />
        <Button kind="quiet" icon={ArrowUpToLine} aria-label="First turn" onClick={() => void goToStart()} />
        <Button kind="quiet" icon={ArrowDownToLine} aria-label="Last turn" onClick={() => void goToEnd()} />
      </div>
      <Notes list={list} lost={lost} isMissing={isMissing} />
      {list.turns.length === 0 && (
        <Empty title="Nothing was said in this session">
          Its first prompt will appear here as soon as the agent writes it.
        </Empty>
      )}
      {list.before !== null && (
        <div class="conversation-more row pad-y-2" data-edge="earlier">
          <Button kind="quiet" onClick={() => void loaded.earlier()}>
            Load earlier turns
          </Button>
        </div>
      )}
      <Blocks blocks={blocks} session={session} column={column} place={place} totals={totals} />
      {!list.isEnd && (
        <div class="conversation-more row pad-y-2" data-edge="later">
          <Button kind="quiet" onClick={() => void loaded.later()}>
            Load later turns
          </Button>
        </div>
      )}
      {failure && <Failed failure={failure} retry={() => void loaded.later()} />}
      {place.hasNew.value && (
        <Button class="new-turns" kind="primary" onClick={() => void goToEnd()}>
          New turns below
        </Button>
      )}
    </>
  );
}

/** What a reader should know about how the conversation is shown. */
function Notes(props: { list: TurnList; lost: "transcript" | "session" | undefined; isMissing: boolean }) {
  const { list, lost, isMissing } = props;
  const lines = [
    ...(lost === "transcript"
      ? [
          "The agent deleted this transcript while it was open. What is shown stays until you leave this page.",
        ]
      : []),
    ...(lost === "session"
      ? [
          "This session was removed from the index while it was open. What is shown stays until you leave this page.",
        ]
      : []),
    ...(list.source === "index"
      ? [`${list.notices.join(" ")} What follows is the text that the index kept: no tool results, no diffs.`]
      : list.notices.map((notice) => `Not shown: ${notice}.`)),
    ...(isMissing ? ["That turn is no longer in the transcript."] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div class="conversation-notes rounded warn" role="status">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

/** The turn after `#` in the address. */
function turnInAddress(): string | undefined {
  const { hash } = location;
  if (hash.length < 2) return undefined;
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return undefined; // not one of our links
  }
}
