import type { IconNode } from "lucide";
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

interface Props extends Omit<ButtonHTMLAttributes, "icon"> {
  readonly icon?: IconNode;
  /** `primary` at most once per view; `quiet` has no frame; `danger` removes something. */
  readonly kind?: "plain" | "primary" | "quiet" | "danger";
  /** The key that does the same, shown beside the text. */
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly type?: "button" | "submit";
  readonly children?: ComponentChildren;
}

/** A button with only an icon needs `aria-label`, which is also its tooltip. */
export function Button({ icon, kind = "plain", hint, children, type = "button", ...rest }: Props) {
  const label = rest["aria-label"];
  return (
    <button
      {...rest}
      type={type}
      class={`button button-${kind} ${children === undefined ? "button-icon" : ""} ${rest.class ?? ""}`}
      {...(rest.title === undefined && typeof label === "string" ? { title: label } : {})}
    >
      {icon && <Icon of={icon} />}
      {children}
      {hint && (
        <span class="button-key" aria-hidden="true">
          <kbd>{hint}</kbd>
        </span>
      )}
    </button>
  );
}
