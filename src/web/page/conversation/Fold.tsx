import { ChevronRight } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../parts/Icon.tsx";

/** A line that unfolds. Its content is rendered when it is opened. */
export function Fold(props: {
  line: ComponentChildren;
  class?: string;
  isOpen?: boolean;
  children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(props.isOpen === true);
  return (
    <details
      class={`fold ${props.class ?? ""}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary class="row gap-1 rounded-small pointer hover">
        <span class="fold-sign fixed faint">
          <Icon of={ChevronRight} size={14} />
        </span>
        <span class="fold-line flex baseline gap-2 narrow grow">{props.line}</span>
      </summary>
      {isOpen && <div class="fold-inner stack gap-2 narrow">{props.children()}</div>}
    </details>
  );
}
