import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { highlightIn } from "../code/highlight-in.ts";
import { loadedLater } from "../loaded-later.ts";
import { useScrollable } from "../use-scrollable.ts";
import type { NoteLink } from "./render.ts";

const renderer = loadedLater(() => import("./render.ts"));
// Loaded as soon as a view that shows texts is loaded, while it waits for its data.
renderer();

/** A longer text is shown as plain text: rendering it would block the page. */
const MOST_CHARACTERS = 60_000;

/** An untrusted text as Markdown: see `render.ts` for what is left out. */
export function Markdown({ text, noteLink }: { text: string; noteLink?: NoteLink }) {
  const block = useRef<HTMLDivElement>(null);
  const isRendered = text.length <= MOST_CHARACTERS;
  const how = isRendered ? renderer() : undefined;
  const html = useMemo(() => {
    if (how === undefined) return undefined;
    try {
      return how.renderMarkdown(text, noteLink);
    } catch {
      return undefined; // nested too deeply: shown as plain text
    }
  }, [how, text, noteLink]);
  useLayoutEffect(() => {
    return html === undefined ? undefined : highlightIn(block.current);
  }, [html]);
  useScrollable(block, html);
  if (html === undefined) return <div class="md reading-type break pre-wrap">{text}</div>;
  // Sanitised by `clean`, which allows only a few elements
  return <div class="md reading-type break" ref={block} dangerouslySetInnerHTML={{ __html: html }} />;
}
