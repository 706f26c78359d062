import type { ChatChange, ChatState } from "../../api/chat.ts";
import type { ShownTurn } from "../../api/conversation.ts";

/**
 * The state after these changes. Undefined if a change is missing in between, or belongs to another opening of the
 * chat: then the whole state must be loaded again.
 */
export function applyChanges(state: ChatState, changes: readonly ChatChange[]): ChatState | undefined {
  let { seq } = state;
  let rest: Partial<ChatState> = {};
  let turns: Map<string, ShownTurn> | undefined;
  for (const change of changes) {
    if (change.run !== state.run) return undefined;
    if (change.seq <= seq) continue;
    if (change.seq !== seq + 1) return undefined;
    seq = change.seq;
    if (change.kind === "state") {
      rest = change.state;
      continue;
    }
    turns ??= new Map(state.turns.map((turn) => [turn.id, turn]));
    if (change.kind === "turn") turns.set(change.turn.id, change.turn);
    else if (change.kind === "gone") for (const id of change.ids) turns.delete(id);
    else {
      const turn = turns.get(change.id);
      if (turn === undefined) return undefined;
      const thinking = (turn.thinking?.text ?? "") + change.thinking;
      const said = { ...turn.said, text: turn.said.text + change.text };
      turns.set(change.id, { ...turn, said, ...(thinking !== "" && { thinking: { text: thinking } }) });
    }
  }
  if (seq === state.seq) return state;
  return { ...state, ...rest, seq, turns: turns === undefined ? state.turns : [...turns.values()] };
}
