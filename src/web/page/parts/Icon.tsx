import type { IconNode } from "lucide";
import { h } from "preact";

/** An icon beside text, or with a label of its own. 16 pixels, in the colour of the text. */
export function Icon({ of, label, size = 16 }: { of: IconNode; label?: string; size?: number }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label })}
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
