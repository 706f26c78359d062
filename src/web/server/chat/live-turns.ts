import type { ChatStep, TurnPiece } from "../../../moments/ports/chat.ts";
import type { TurnChange } from "../../api/chat.ts";
import type { ShownMark, ShownText, ShownTurn } from "../../api/conversation.ts";
import { LIVE, shownTurn } from "../sessions/conversation-turns.ts";

const MAX_TURNS = 1000;
const MAX_CHARACTERS = 4_000_000;

type TurnStep = Extract<ChatStep, { kind: "turn" | "begin" | "piece" }>;

/** The turns of one chat, limited whatever a model sends. */
export interface LiveTurns {
  readonly all: () => readonly ShownTurn[];
  /** Whether older turns were dropped. */
  readonly hasEarlier: () => boolean;
  apply(step: TurnStep): readonly TurnChange[];
  /** Adds something that is in no transcript. */
  add(
    given: Pick<ShownTurn, "role"> & { readonly text?: string; readonly mark?: ShownMark },
  ): readonly TurnChange[];
  /**
   * Unfinished turns will not be completed: the agent was stopped (or `isLost`: its process ended, and an unfinished
   * answer is lost).
   */
  settle(isLost?: boolean): readonly TurnChange[];
}

const NOTHING = {
  place: "",
  isLive: true,
  said: { text: "" },
  calls: [],
  answers: [],
  images: [],
  marks: [],
} as const;

export function createLiveTurns(now: () => number): LiveTurns {
  const turns = new Map<string, ShownTurn>();
  let added = 0;
  let characters = 0;
  let hasEarlier = false;

  function put(turn: ShownTurn): readonly TurnChange[] {
    characters += sizeOf(turn) - sizeOf(turns.get(turn.id));
    turns.set(turn.id, turn);
    return [{ kind: "turn", turn }, ...dropOldest(turn.id)];
  }
  function remove(ids: readonly string[]): readonly TurnChange[] {
    for (const id of ids) {
      characters -= sizeOf(turns.get(id));
      turns.delete(id);
    }
    return ids.length === 0 ? [] : [{ kind: "gone", ids }];
  }
  function dropOldest(newest: string): readonly TurnChange[] {
    const dropped: string[] = [];
    let left = characters;
    for (const [id, turn] of turns) {
      if (id === newest || (turns.size - dropped.length <= MAX_TURNS && left <= MAX_CHARACTERS)) break;
      left -= sizeOf(turn);
      dropped.push(id);
    }
    hasEarlier ||= dropped.length > 0;
    return remove(dropped);
  }

  const begin = (id: string, at: number): readonly TurnChange[] =>
    put({ ...NOTHING, id, role: "assistant", at, isOpen: true });
  const add: LiveTurns["add"] = ({ role, text = "", mark }) =>
    put({
      ...NOTHING,
      id: `live-${++added}`,
      role,
      at: now(),
      said: { text },
      marks: mark === undefined ? [] : [mark],
    });
  /** A turn that was interrupted and is repeated by the host must not be shown twice. */
  const dropOpen = (): readonly TurnChange[] =>
    remove([...turns.values()].filter(({ isOpen }) => isOpen).map(({ id }) => id));

  function grow(piece: TurnPiece): readonly TurnChange[] {
    const begun = turns.has(piece.id) ? [] : begin(piece.id, now());
    const turn = turns.get(piece.id);
    if (turn?.isOpen !== true) return begun;
    const said = grown(turn.said, piece.text, LIVE.spoken);
    const thinking = grown(turn.thinking, piece.thinking, LIVE.thinking);
    const changes = put({ ...turn, said, ...(thinking.text !== "" && { thinking }) });
    const isCut = said.of !== turn.said.of || thinking.of !== turn.thinking?.of;
    if (isCut) return [...begun, ...changes];
    const text = said.text.slice(turn.said.text.length);
    const thought = thinking.text.slice(turn.thinking?.text.length ?? 0);
    return text + thought === "" ? begun : [...begun, { ...piece, text, thinking: thought }];
  }

  function finish({ turn }: Extract<TurnStep, { kind: "turn" }>): readonly TurnChange[] {
    const before = turns.get(turn.id);
    const { thinking = before?.thinking, ...shown } = shownTurn(turn, "", LIVE);
    const done: ShownTurn = { ...shown, isLive: true, thinking };
    const isEmpty =
      done.role === "assistant" && sizeOf(done) === 0 && done.calls.length + done.images.length === 0;
    if (isEmpty) return before === undefined ? [] : remove([turn.id]);
    return [...(turn.marks.error ? dropOpen() : []), ...put(done)];
  }

  function settle(isLost = false): readonly TurnChange[] {
    const answered = new Set([...turns.values()].flatMap(({ answers }) => answers.map(({ call }) => call)));
    return [...turns.values()].flatMap(({ isOpen, ...turn }) => {
      if (isOpen)
        return turn.said.text === ""
          ? remove([turn.id])
          : put({ ...turn, marks: isLost ? [...turn.marks, "lost"] : turn.marks });
      const stopped = turn.calls.flatMap(({ id }) => (id === undefined || answered.has(id) ? [] : [id]));
      return stopped.flatMap((call) =>
        put({
          ...NOTHING,
          id: `${call}:stopped`,
          role: "tool",
          said: { text: "stopped" },
          answers: [{ call, failed: true }],
        }),
      );
    });
  }

  return {
    all: () => [...turns.values()],
    hasEarlier: () => hasEarlier,
    apply(step) {
      if (step.kind === "turn") return finish(step);
      return step.kind === "piece" ? grow(step) : [...dropOpen(), ...begin(step.id, step.at)];
    },
    add,
    settle,
  };
}

/** Appends text, up to the limit. */
function grown(before: ShownText = { text: "" }, more: string, most: number): ShownText {
  if (before.of !== undefined || more === "") return before;
  const text = before.text + more;
  return text.length <= most ? { text } : { text: text.slice(0, most), of: text.length };
}

function sizeOf(turn: ShownTurn | undefined): number {
  if (turn === undefined) return 0;
  const { said, thinking, injected, calls } = turn;
  const texts = [said, thinking, injected, ...calls.flatMap(({ input, diff }) => [input, diff])];
  return texts.reduce((sum, one) => sum + (one?.text.length ?? 0), 0);
}
