import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A modal dialog. Escape and a click outside close it; the focus returns to where it was. */
export function Dialog(props: {
  label: string;
  close: () => void;
  class?: string;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${props.class ?? ""}`}
      aria-label={props.label}
      onClose={props.close}
      onClick={(event) => {
        if (event.target === dialog.current) props.close();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.stopPropagation();
      }}
    >
      {props.children}
    </dialog>
  );
}
