/** What decides where a character of a text field is. */
const COPIED = [
  "font",
  "letterSpacing",
  "lineHeight",
  "padding",
  "borderWidth",
  "tabSize",
  "whiteSpace",
  "overflowWrap",
] as const;

/** Where the cursor is, below its line: a browser tells it only for text outside of fields, so the text is laid out again. */
export function belowCaret(field: HTMLTextAreaElement): { readonly left: number; readonly top: number } {
  const copy = document.createElement("div");
  const style = getComputedStyle(field);
  for (const name of COPIED) copy.style[name] = style[name];
  copy.style.position = "absolute";
  copy.style.visibility = "hidden";
  copy.style.borderStyle = "solid";
  copy.style.width = `${field.clientWidth}px`;
  const end = document.createElement("span");
  end.textContent = "\u200b";
  copy.append(field.value.slice(0, field.selectionStart), end);
  field.after(copy);
  const [left, top] = [end.offsetLeft, end.offsetTop + end.offsetHeight - field.scrollTop];
  copy.remove();
  return { left, top };
}
