import { useLayoutEffect, useRef } from "preact/hooks";
import { useScrollable } from "../use-scrollable.ts";
import { highlightIn } from "./highlight-in.ts";

/** Untrusted code: as plain text at once, with colours when the highlighter is loaded. `language` as in Markdown. */
export function Code({ text, language = "" }: { text: string; language?: string }) {
  const block = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => highlightIn(block.current), [text, language]);
  useScrollable(block, text);
  return (
    <pre class="code box surface-2 pad-3" ref={block}>
      {/* A new element for another text, because the highlighter replaces its content. */}
      <code key={`${language}\n${text}`} data-language={language}>
        {text}
      </code>
    </pre>
  );
}
