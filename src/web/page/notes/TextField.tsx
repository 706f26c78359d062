import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NoteTitles } from "../../api/notes.ts";
import { api } from "../core/api.ts";
import { Options, optionId } from "../parts/Options.tsx";
import { closingFor, linkAt, type TypedLink } from "./complete-link.ts";

interface Props {
  readonly value: string;
  readonly label: string;
  readonly isFocused?: boolean;
  change(value: string): void;
}

type Suggestion = NoteTitles["titles"][number];

/** The text of a note. Typing `[[` suggests titles: arrows choose, Enter or Tab inserts one, Escape closes the list. */
export function TextField({ value, label, isFocused = false, change }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [link, setLink] = useState<TypedLink | undefined>();
  const [titles, setTitles] = useState<readonly Suggestion[]>([]);
  const [chosen, choose] = useState(0);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  const isOpen = link !== undefined && titles.length > 0;

  useLayoutEffect(() => {
    if (isFocused) field.current?.focus();
  }, []);
  useEffect(() => {
    if (link === undefined) {
      setTitles([]);
      return;
    }
    const controller = new AbortController();
    api.get<NoteTitles>("/notes/titles", { q: link.typed }, controller.signal).then(
      (found) => {
        setTitles(found.titles.slice(0, 8));
        choose(0);
      },
      () => undefined, // no suggestions; typing continues
    );
    return () => controller.abort();
  }, [link?.typed, link === undefined]);

  const look = () => {
    const { current } = field;
    if (current === null) return;
    const found =
      current.selectionStart === current.selectionEnd
        ? linkAt(current.value, current.selectionStart)
        : undefined;
    setLink(found);
    if (found !== undefined) setPlace(placeFor(current));
  };
  const take = (title: string) => {
    const { current } = field;
    if (current === null || link === undefined) return;
    const cursor = current.selectionStart;
    current.focus();
    current.setSelectionRange(link.from, cursor);
    // The only way that preserves the browser's undo history.
    document.execCommand("insertText", false, title + closingFor(current.value, cursor));
    if (current.value.startsWith("]]", current.selectionStart))
      current.setSelectionRange(current.selectionStart + 2, current.selectionStart + 2);
    setLink(undefined);
  };
  const press = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      choose((chosen + step + titles.length) % titles.length);
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      take(titles[chosen]?.title ?? "");
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      setLink(undefined);
    }
  };
  return (
    <div class="text-field flex short relative">
      <textarea
        ref={field}
        class="grow short"
        value={value}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls="link-titles"
        {...(isOpen ? { "aria-activedescendant": optionId("link-titles", chosen) } : {})}
        spellcheck={true}
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          look();
        }}
        onKeyDown={press}
        onClick={look}
        onKeyUp={({ key }) => /^(?:Arrow(?:Left|Right)|Home|End)$/.test(key) && look()}
        onBlur={() => setLink(undefined)}
      />
      <Options
        id="link-titles"
        label="Notes to link"
        options={titles.map(({ title, uri }) => ({
          key: uri ?? title,
          text: title,
          detail: uri === undefined ? "concept" : "note",
        }))}
        chosen={chosen}
        isOpen={isOpen}
        place={place}
        take={({ text }) => take(text)}
      />
    </div>
  );
}

const WIDTH = 360;
const HEIGHT = 250;

/** Below the cursor, but inside the field. */
function placeFor(field: HTMLTextAreaElement): { left: number; top: number } {
  const { left, top } = belowCaret(field);
  return {
    left: Math.max(8, Math.min(left, field.clientWidth - WIDTH)),
    top: Math.max(8, Math.min(top + 4, field.clientHeight - HEIGHT)),
  };
}

/** Styles that determine where a character in a text field is. */
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

/**
 * The cursor's position, below its line. Browsers report that only for text outside fields, so the text is laid out
 * again.
 */
function belowCaret(field: HTMLTextAreaElement): { readonly left: number; readonly top: number } {
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
