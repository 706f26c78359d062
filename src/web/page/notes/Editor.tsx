import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Markdown } from "../parts/markdown/Markdown.tsx";
import { panelId, Tabs } from "../parts/Tabs.tsx";
import { TextField } from "./TextField.tsx";

interface Props {
  readonly text: string;
  readonly preview: string;
  readonly isFocused?: boolean;
  noteLink(name: string): string | undefined;
  change(text: string): void;
  readonly children?: ComponentChildren;
}

/** A note's text beside its preview; on narrow screens one of the two. */
export function Editor({ text, preview, isFocused = true, noteLink, change, children }: Props) {
  const [tab, setTab] = useState("write");
  const shown = useDeferred(preview);
  return (
    <div class={`stack gap-3 short pad-bottom-4 editor-on-${tab}`}>
      <div class="editor-tabs">
        <Tabs
          name="editor"
          tabs={[
            { id: "write", label: "Write" },
            { id: "preview", label: "Preview" },
          ]}
          chosen={tab}
          choose={setTab}
        />
      </div>
      {children}
      <div class="editor-panes gap-4 grow short" id={panelId("editor")}>
        <TextField value={text} label="Text of the note" isFocused={isFocused} change={change} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be scrollable with the keyboard */}
        <section class="editor-preview box surface-2 scroll reading-type" aria-label="Preview" tabIndex={0}>
          {shown.trim() === "" ? (
            <p class="muted">What you write is shown here.</p>
          ) : (
            <Markdown text={shown} noteLink={noteLink} />
          )}
        </section>
      </div>
    </div>
  );
}

const PAUSE_MS = 150;

/** A value after it has not changed for a moment, so that the preview is not rendered for every letter. */
function useDeferred<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (value === shown) return;
    const timer = setTimeout(() => setShown(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return shown;
}
