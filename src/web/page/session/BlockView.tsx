import type { PromptTotals } from "../../api/conversation.ts";
import { Code } from "../parts/code/Code.tsx";
import { type Block, turnsIn } from "./blocks.ts";
import { Calls } from "./Calls.tsx";
import { Clipped, type SessionKey } from "./Clipped.tsx";
import { Fold } from "./Fold.tsx";
import { Message } from "./Message.tsx";
import { Aside, Boundary, Compaction } from "./Separators.tsx";
import { TurnTotals } from "./TurnTotals.tsx";

interface Props {
  readonly block: Block;
  readonly session: SessionKey;
  readonly givenAddress: string;
  /** What prompts led to, by the last turn of each. */
  readonly totals?: ReadonlyMap<string, PromptTotals>;
}

/** One block of the conversation. `data-turn` is how places in the column are found. */
export function BlockView({ block, session, givenAddress, totals }: Props) {
  const [total] = turnsIn(block).flatMap((id) => totals?.get(id) ?? []);
  const isLeft = block.turn.marks.includes("otherBranch");
  return (
    <div
      class={`block block-${block.kind} ${isLeft ? "block-abandoned" : ""}`}
      data-turn={block.turn.id}
      data-prompt={block.kind === "message" && block.turn.role === "user" ? "" : undefined}
      tabIndex={-1}
    >
      {inner({ block, session, givenAddress })}
      {total && <TurnTotals of={total} />}
    </div>
  );
}

function inner({ block, session, givenAddress }: Props) {
  switch (block.kind) {
    case "message":
      return <Message session={session} turn={block.turn} isFirst={block.isFirst} />;
    case "calls":
      return <Calls session={session} calls={block.calls} />;
    case "compaction":
      return <Compaction session={session} turn={block.turn} givenAddress={givenAddress} />;
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
