import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";

/** This close to the end the reader counts as being there. */
const NEAR_PX = 80;
/** Turns beyond the edge are loaded this far ahead. */
const AHEAD = "800px";

/**
 * The reader's position in the column. At the end, new content is followed; elsewhere nothing moves, whether content is
 * added above or below.
 */
export function useReadingPlace(column: RefObject<HTMLElement | null>) {
  const hasNew = useSignal(false);
  const topTurn = useSignal<string | undefined>(undefined);
  const place = useMemo(() => {
    let mode: "end" | "start" | "free" = "end";
    let anchor: { readonly block: HTMLElement; readonly top: number } | undefined;
    let last: string | undefined;
    const scroller = () => column.current?.closest<HTMLElement>(".session-scroll") ?? undefined;
    const blocks = () => [...(column.current?.querySelectorAll<HTMLElement>(":scope > [data-turn]") ?? [])];
    const toEnd = () => {
      const main = scroller();
      if (main) main.scrollTop = main.scrollHeight;
      hasNew.value = false;
    };
    const toStart = () => {
      const main = scroller();
      if (main) main.scrollTop = 0;
    };
    const remember = () => {
      const main = scroller();
      if (main === undefined) return;
      const isAtEnd = main.scrollHeight - main.scrollTop - main.clientHeight < NEAR_PX;
      mode = isAtEnd ? "end" : "free";
      if (isAtEnd) hasNew.value = false;
      const { top } = main.getBoundingClientRect();
      const block = blocks().find((one) => one.getBoundingClientRect().bottom > top);
      anchor = block && { block, top: block.getBoundingClientRect().top };
      topTurn.value = block?.dataset["turn"];
    };
    /** Call after the column has changed or grown. */
    const afterChange = () => {
      const main = scroller();
      if (main === undefined) return;
      const newest = blocks().at(-1)?.dataset["turn"];
      if (mode === "end") toEnd();
      else if (mode === "start") toStart();
      else {
        if (anchor?.block.isConnected) {
          main.scrollTop += anchor.block.getBoundingClientRect().top - anchor.top;
        }
        if (last !== undefined && newest !== last) hasNew.value = true;
      }
      last = newest;
    };
    return {
      hasNew,
      /** The topmost visible turn. */
      top: topTurn,
      toEnd,
      toStart,
      afterChange,
      keep(next: typeof mode) {
        mode = next;
        anchor = undefined;
      },
      /** Scrolls to a turn's block and marks it until another one is shown. False if it is not loaded. */
      show(turn: string): boolean {
        const block = blocks().find((one) => one.dataset["turn"] === turn);
        if (block === undefined) return false;
        for (const one of blocks()) one.classList.remove("block-shown");
        mode = "free";
        block.scrollIntoView({ block: "start" });
        block.focus({ preventScroll: true });
        requestAnimationFrame(() => block.classList.add("block-shown"));
        remember();
        mode = "free";
        return true;
      },
      /** Scrolls to the next or the previous prompt. */
      step(by: 1 | -1): void {
        const main = scroller();
        if (main === undefined) return;
        const { top } = main.getBoundingClientRect();
        const prompts = blocks().filter((one) => "prompt" in one.dataset);
        const tops = prompts.map((one) => one.getBoundingClientRect().top - top);
        const at = by === 1 ? tops.findIndex((one) => one > 24) : tops.findLastIndex((one) => one < -8);
        const block = prompts[at];
        if (block !== undefined) {
          block.scrollIntoView({ block: "start" });
          block.focus({ preventScroll: true });
        } else if (by === 1) toEnd();
        else toStart();
      },
      /** Starts following the column. Returns a function that stops it. */
      watch(): () => void {
        const inner = column.current;
        const main = scroller();
        if (inner === null || main === undefined) return () => undefined;
        // Texts change their height when they are rendered or unfolded.
        const grown = new ResizeObserver(afterChange);
        grown.observe(inner);
        main.addEventListener("scroll", remember, { passive: true });
        return () => {
          grown.disconnect();
          main.removeEventListener("scroll", remember);
        };
      },
      /** Loads more when an edge of the loaded part comes near. Returns a function that stops it. */
      watchEnds(earlier: () => unknown, later: () => unknown): () => void {
        const main = scroller();
        if (main === undefined) return () => undefined;
        const observer = new IntersectionObserver(
          (entries) => {
            for (const { isIntersecting, target } of entries) {
              if (!isIntersecting || !(target instanceof HTMLElement)) continue;
              if (target.dataset["edge"] === "earlier") earlier();
              else later();
            }
          },
          { root: main, rootMargin: `${AHEAD} 0px` },
        );
        for (const edge of main.querySelectorAll("[data-edge]")) observer.observe(edge);
        return () => observer.disconnect();
      },
    };
  }, [column]);

  return place;
}

export type ReadingPlace = ReturnType<typeof useReadingPlace>;
