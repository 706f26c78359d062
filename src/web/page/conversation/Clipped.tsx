import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ShownText, ShownTurn, TurnPart, WholeText } from "../../api/conversation.ts";
import { attempt } from "../core/action.ts";
import { api, sessionPath } from "../core/api.ts";
import { number } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";

export interface SessionKey {
  readonly host: string;
  readonly id: string;
}

/** A text that may be only the beginning of a longer one, with a button for the rest. */
export function Clipped(props: {
  session: SessionKey;
  turn: ShownTurn;
  part: TurnPart;
  call?: number;
  text: ShownText;
  children: (text: string) => ComponentChildren;
}) {
  const { session, turn, part, call } = props;
  const [more, setMore] = useState<ShownText>();
  const { text, of } = more ?? props.text;
  const load = () =>
    api
      .get<WholeText>(sessionPath(session.host, session.id, "/conversation/turn"), {
        ...{ place: turn.place, id: turn.id, part },
        ...(call !== undefined && { call }),
      })
      .then(setMore);
  const isWhole = of === undefined || turn.place.startsWith("index.");
  // The index and a chat have nothing beyond what they sent.
  const isAll = more !== undefined || turn.isLive;
  return (
    <>
      {props.children(text)}
      {!isWhole && !isAll && (
        <Button kind="quiet" class="show-all" onClick={() => void attempt("Could not load the rest", load)}>
          Show all ({number(of)} characters)
        </Button>
      )}
      {!isWhole && isAll && (
        <p class="muted small">
          The first {number(text.length)} of {number(of)} characters are shown.
        </p>
      )}
    </>
  );
}
