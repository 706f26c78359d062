import { PanelRight, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { takeContentFocus } from "../core/content-focus.ts";
import { useKeys } from "../core/keys.ts";
import { shownTitle } from "../core/title.ts";
import { Button } from "./Button.tsx";

interface Props {
  /** The browser tab's title, and the heading unless `heading` is given. */
  readonly title: string;
  readonly heading?: ComponentChildren;
  /** Beside the heading. */
  readonly actions?: ComponentChildren;
  /** Below the heading: filters, tabs. */
  readonly bar?: ComponentChildren;
  /** The side panel; a sheet on narrow screens. */
  readonly side?: ComponentChildren;
  readonly sideLabel?: string;
  /** On narrow screens, opens the sheet at first and whenever this changes, because the user asked for its content. */
  readonly sideOpen?: boolean | string;
  /**
   * `reading` has lines of at most 76 characters; `list` uses the full width; `full` has no padding and scrolls itself.
   */
  readonly width?: "reading" | "list" | "full";
  readonly children: ComponentChildren;
}

/** One place of the page: heading, content, side panel. */
export function Page(props: Props) {
  const { title, heading, actions, bar, side, sideLabel = "Details", width = "list" } = props;
  const [isOpen, setOpen] = useState(Boolean(props.sideOpen));
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    shownTitle.value = title;
  }, [title]);
  useLayoutEffect(() => takeContentFocus(main.current), []);
  useEffect(() => setOpen(Boolean(props.sideOpen)), [props.sideOpen]);
  // A panel beside the content stays open, so there Esc belongs to the view.
  const isSheet = Boolean(side) && matchMedia("(width < 1100px)").matches;
  useKeys({ Esc: { what: "close the side panel", run: () => setOpen(false) } }, isOpen && isSheet);
  return (
    <div class={`page grow short ${side ? "page-with-side" : ""}`}>
      <main class={`content content-${width}`} ref={main} tabIndex={-1} id="content">
        <header class="page-head">
          <div class="page-title row gap-3">
            {heading ?? <h1>{title}</h1>}
            <div class="page-actions row gap-2">
              {actions}
              {side && (
                <Button
                  class="side-opener"
                  kind="quiet"
                  icon={PanelRight}
                  aria-label={`Show ${sideLabel.toLowerCase()}`}
                  aria-expanded={isOpen}
                  onClick={() => setOpen(!isOpen)}
                />
              )}
            </div>
          </div>
          {bar}
        </header>
        {props.children}
      </main>
      {side && (
        <aside
          class={`side surface-2 relative scroll pad-4 ${isOpen ? "side-open" : ""}`}
          aria-label={sideLabel}
        >
          <Button
            class="side-closer"
            kind="quiet"
            icon={X}
            aria-label="Close"
            onClick={() => setOpen(false)}
          />
          {side}
        </aside>
      )}
    </div>
  );
}
