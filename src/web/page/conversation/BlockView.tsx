import { type ComponentChildren, Fragment, type RefObject } from "preact";
import { memo } from "preact/compat";
import { useEffect } from "preact/hooks";
import type { PromptTotals } from "../../api/conversation.ts";
import { sessionAddress } from "../core/address.ts";
import { count, elapsed, number } from "../core/format.ts";
import { share } from "../given/words.ts";
import { Code } from "../parts/code/Code.tsx";
import { type Block, isSameBlock, turnsIn } from "./blocks.ts";
import { Calls } from "./Calls.tsx";
import { Clipped, type SessionKey } from "./Clipped.tsx";
import { Fold } from "./Fold.tsx";
import { Message } from "./Message.tsx";
import { Aside, Boundary, Compaction, DayHeading } from "./Separators.tsx";
import type { ReadingPlace } from "./use-reading-place.ts";

/** A conversation from a transcript or a chat, as blocks one below the other. Keeps the reader's scroll position. */
export function Blocks(props: {
  blocks: readonly Block[];
  session: SessionKey;
  column: RefObject<HTMLDivElement | null>;
  place: ReadingPlace;
  isLive?: boolean;
  /** Time and tokens for each prompt, by its last turn. */
  totals?: ReadonlyMap<string, PromptTotals>;
  after?: (block: Block) => ComponentChildren;
}) {
  const { blocks, session, column, place, isLive = false, totals, after } = props;
  useEffect(() => place.watch(), [place]);
  return (
    <div
      class="conversation stack gap-3"
      ref={column}
      role="log"
      aria-label="Conversation"
      aria-live={isLive ? "polite" : "off"}
    >
      {blocks.map((block, i) => (
        <Fragment key={`${block.kind} ${block.turn.id}`}>
          <DayHeading at={block.turn.at} before={blocks[i - 1]?.turn.at} />
          <BlockView
            block={block}
            session={session}
            total={turnsIn(block).flatMap((id) => totals?.get(id) ?? [])[0]}
          />
          {after?.(block)}
        </Fragment>
      ))}
    </div>
  );
}

interface Props {
  readonly block: Block;
  readonly session: SessionKey;
  readonly total?: PromptTotals | undefined;
}

/** One block of the conversation. `data-turn` is used to find positions in the column. */
const BlockView = memo(
  function BlockView({ block, session, total }: Props) {
    const isLeft = block.turn.marks.includes("otherBranch");
    return (
      <div
        class={`block narrow rounded block-${block.kind} ${isLeft ? "block-abandoned" : ""}`}
        data-turn={block.turn.id}
        data-prompt={block.kind === "message" && block.turn.role === "user" ? "" : undefined}
        tabIndex={-1}
      >
        {inner({ block, session })}
        {total && <TurnTotals of={total} />}
      </div>
    );
  },
  (a, b) => isSameBlock(a.block, b.block) && a.total === b.total && a.session === b.session,
);

function inner({ block, session }: Props) {
  switch (block.kind) {
    case "message":
      return <Message session={session} turn={block.turn} isFirst={block.isFirst} />;
    case "calls":
      return <Calls session={session} calls={block.calls} />;
    case "compaction":
      return (
        <Compaction
          session={session}
          turn={block.turn}
          givenAddress={sessionAddress(session.host, session.id, { tab: "given" })}
        />
      );
    case "aside":
      return <Aside session={session} turn={block.turn} />;
    case "boundary":
      return <Boundary what={block.what} />;
    case "result":
      return (
        <Fold class="call" line={<span class="muted">Result of a tool call further up</span>}>
          {() => (
            <Clipped session={session} turn={block.turn} part="said" text={block.turn.said}>
              {(text) => <Code text={text} />}
            </Clipped>
          )}
        </Fold>
      );
  }
}

/** After the last turn for a prompt: how long it took, and what the model read and wrote. */
function TurnTotals({ of: { ms, tokens } }: { of: PromptTotals }) {
  const parts = [
    ...(ms === undefined ? [] : [elapsed(ms)]),
    ...(tokens === undefined
      ? []
      : [
          count(tokens.requests, "model call"),
          `${number(tokens.input)} tokens in${tokens.cached > 0 ? ` (${share(tokens)} from the cache)` : ""}`,
          `${number(tokens.output)} out`,
        ]),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="turn-totals muted small" title="From the prompt to this turn">
      {parts.join(" · ")}
    </p>
  );
}
