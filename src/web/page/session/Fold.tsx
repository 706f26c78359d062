import { ChevronRight } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../parts/Icon.tsx";

/** One line that opens. What is in it is made when it is opened. */
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
      <summary>
        <span class="fold-sign">
          <Icon of={ChevronRight} size={14} />
        </span>
        <span class="fold-line">{props.line}</span>
      </summary>
      {isOpen && <div class="fold-inner">{props.children()}</div>}
    </details>
  );
}
