import type { Block, TableBlock } from "../../moments/ports/view.ts";
import { nextSteps, stepLine } from "../terminal/next-step.ts";
import type { Screen } from "../terminal/screen.ts";
import { table } from "../terminal/table.ts";
import { wrap, wrapMarkdown, wrapOn } from "../terminal/wrap.ts";

/** The blocks of an action's output, as text for this screen. */
export function showBlocks(blocks: readonly Block[], screen: Screen): string {
  return blocks.flatMap((block) => linesOf(block, screen)).join("\n");
}

function linesOf(block: Block, screen: Screen): string[] {
  if (typeof block === "string") return [wrapOn(block, screen)];
  if ("columns" in block) {
    const { lastBelow } = block.fit ?? {};
    if (lastBelow !== undefined && screen.isFitted && screen.width < lastBelow)
      return linesOf(withLastBelow(block), screen);
    const drawn = table(block.columns, block.rows, screen, block.fit);
    const { below } = block;
    if (below === undefined) return [drawn];
    return drawn
      .split("\n")
      .flatMap((line, at) => [line, ...(below[at - 1] ?? []).map((one) => wrapOn(one, screen))]);
  }
  if ("step" in block) return [stepLine(screen, block.step, block.whatFor)];
  if ("undo" in block) return [stepLine(screen, block.undo, "To undo")];
  if ("next" in block) return nextSteps(screen, ...block.next);
  if ("aside" in block) return [];
  if (block.isExact) return [block.text];
  if (block.isNarrow) return [wrap(block.text, { width: screen.width, hang: block.hang ?? 0 })];
  return [block.isMarkdown ? wrapMarkdown(block.text, screen) : wrapOn(block.text, screen, block)];
}

function withLastBelow({ columns, rows, fit }: TableBlock): TableBlock {
  return {
    columns: columns.slice(0, -1),
    rows: rows.map((row) => row.slice(0, -1)),
    below: rows.map((row) => [`      ${row.at(-1)}`]),
    fit: { ...fit, wraps: [], lastBelow: 0 },
  };
}
