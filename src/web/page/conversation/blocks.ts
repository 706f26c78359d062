import type { ShownCall, ShownTurn } from "../../api/conversation.ts";

/** A tool call, with the turn of its result if that is loaded. */
export interface CallBlock {
  readonly key: string;
  readonly call: ShownCall;
  readonly turn: ShownTurn;
  /** The call's index in the turn. */
  readonly at: number;
  readonly result?: ShownTurn;
  readonly isFailed: boolean;
  /** Whether the user did not allow it. */
  readonly isRejected: boolean;
}

/** The units that the page shows one below the other. */
export type Block =
  | { readonly kind: "message"; readonly turn: ShownTurn; readonly isFirst: boolean }
  | { readonly kind: "calls"; readonly turn: ShownTurn; readonly calls: readonly CallBlock[] }
  | { readonly kind: "compaction"; readonly turn: ShownTurn }
  /** A text that neither a user nor a model wrote. */
  | { readonly kind: "aside"; readonly turn: ShownTurn }
  /** A result whose call is not loaded. */
  | { readonly kind: "result"; readonly turn: ShownTurn }
  | { readonly kind: "boundary"; readonly turn: ShownTurn; readonly what: Boundary };

export type Boundary = "abandoned" | "copied" | "current" | "stopped" | "resumed";

/** Groups consecutive calls without text between them into one block, together with their results. */
export function blocksOf(turns: readonly ShownTurn[]): readonly Block[] {
  const results = resultsOf(turns);
  const known = new Set(turns.flatMap(({ calls }) => calls.flatMap(({ id }) => id ?? [])));
  const blocks: Block[] = [];
  let branch: Boundary = "current";
  let speaker = "";
  for (const turn of turns) {
    const now = branchOf(turn);
    if (now !== branch && turn.role !== "tool") {
      blocks.push({ kind: "boundary", turn, what: now });
      branch = now;
    }
    const { role, marks } = turn;
    const note = marks.find((mark) => mark === "stopped" || mark === "resumed");
    if (note !== undefined) {
      blocks.push({ kind: "boundary", turn, what: note });
      continue;
    }
    if (role === "tool") {
      if (!turn.answers.some(({ call }) => known.has(call))) blocks.push({ kind: "result", turn });
      continue;
    }
    if (role === "summary" && marks.includes("compaction")) {
      blocks.push({ kind: "compaction", turn });
      speaker = "";
      continue;
    }
    if (isAside(turn)) {
      blocks.push({ kind: "aside", turn });
      continue;
    }
    if (turn.said.text !== "" || turn.images.length > 0 || turn.thinking !== undefined) {
      blocks.push({ kind: "message", turn, isFirst: role === "user" || speaker !== role });
      speaker = role;
    }
    if (turn.calls.length > 0) addCalls(blocks, turn, results);
  }
  return blocks;
}

function addCalls(blocks: Block[], turn: ShownTurn, results: ReadonlyMap<string, ShownTurn>): void {
  const calls = turn.calls.map((call, at): CallBlock => {
    const result = call.id === undefined ? undefined : results.get(call.id);
    const answer = result?.answers.find((one) => one.call === call.id && one.failed);
    const isRejected = answer?.rejected === true;
    const isFailed = answer !== undefined && !isRejected;
    return {
      key: `${turn.id} ${at}`,
      call,
      turn,
      at,
      isFailed,
      isRejected,
      result,
    };
  });
  const last = blocks.at(-1);
  if (last?.kind === "calls") blocks[blocks.length - 1] = { ...last, calls: [...last.calls, ...calls] };
  else blocks.push({ kind: "calls", turn, calls });
}

function resultsOf(turns: readonly ShownTurn[]): Map<string, ShownTurn> {
  const results = new Map<string, ShownTurn>();
  for (const turn of turns) for (const { call } of turn.answers) results.set(call, turn);
  return results;
}

function branchOf({ marks }: ShownTurn): Boundary {
  if (marks.includes("otherBranch")) return "abandoned";
  return marks.includes("copied") ? "copied" : "current";
}

/** Errors are shown normally, because the user must see them. */
function isAside({ role, marks }: ShownTurn): boolean {
  if (marks.includes("error")) return false;
  return role === "other" || marks.includes("machineMade") || marks.includes("injected");
}

/** Whether two blocks look the same: blocks are recreated at every change, their turns are not. */
export function isSameBlock(a: Block, b: Block): boolean {
  if (a.kind !== b.kind || a.turn !== b.turn) return false;
  if (a.kind === "message" && b.kind === "message") return a.isFirst === b.isFirst;
  if (a.kind !== "calls" || b.kind !== "calls") return true;
  return (
    a.calls.length === b.calls.length &&
    a.calls.every(({ turn, result }, at) => turn === b.calls[at]?.turn && result === b.calls[at]?.result)
  );
}

/** The turns in a block: calls and results of several turns may share one. */
export function turnsIn(block: Block): readonly string[] {
  if (block.kind !== "calls") return block.kind === "boundary" ? [] : [block.turn.id];
  return block.calls.flatMap(({ turn, result }) => (result === undefined ? [turn.id] : [turn.id, result.id]));
}

/** The block in which a turn is shown. */
export function blockOf(blocks: readonly Block[], turn: string): Block | undefined {
  const holds = (id: string) => (block: Block) => turnsIn(block).includes(id);
  return blocks.find(holds(turn)) ?? blocks.find(holds(turn.replace(/:calls$/, "")));
}

/** "Read 5, Edit 2, Run 1": what a group of calls did. */
export function summaryOf(calls: readonly CallBlock[]): string {
  const counts = new Map<string, number>();
  for (const { call } of calls) counts.set(call.verb, (counts.get(call.verb) ?? 0) + 1);
  return [...counts].map(([verb, n]) => `${verb} ${n}`).join(", ");
}
