import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A modal over the page. Escape and a click beside it close it; the focus goes back to where it was. */
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
