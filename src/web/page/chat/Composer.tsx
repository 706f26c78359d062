import { ArrowUp, Square } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { dropDraft, keepDraft, readDraft } from "../core/drafts.ts";
import { count } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";
import { Options, optionId } from "../parts/Options.tsx";
import { useCompletion } from "./use-completion.ts";

interface Props {
  /** The key under which drafts are stored. */
  readonly name: string;
  readonly about: { project?: string; id?: string };
  readonly placeholder: string;
  readonly label: string;
  readonly isWorking?: boolean;
  /** Unsent text is put back into the field. */
  readonly returned?: string;
  /** The initial text, if there is no draft. */
  readonly initial?: string;
  /** Sends the text. The draft stays if that fails. */
  readonly send: (text: string) => Promise<void>;
  readonly stop?: () => void;
  readonly disabled?: boolean;
}

const LIST = "chat-completions";

/** The message field. Enter sends, Shift+Enter begins a line, `@@` names past sessions, Esc stops the agent. */
export function Composer(props: Props) {
  const { name, about, isWorking = false, returned, initial = "" } = props;
  const [text, setText] = useState(() => readDraft(name)?.text || initial);
  const [cursor, setCursor] = useState(0);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(text, cursor, about);

  useEffect(() => {
    if (initial !== "") setText((now) => (now === "" ? initial : now));
  }, [initial]);
  useEffect(() => {
    if (returned !== undefined && returned !== "")
      setText((now) => (now === "" ? returned : `${returned}\n\n${now}`));
  }, [returned]);
  useEffect(() => writeDraft(name, text), [name, text]);
  useLayoutEffect(() => {
    const area = field.current;
    if (area === null) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
  }, [text]);

  const send = () => {
    const said = text;
    if (said.trim() === "" || isSending || props.disabled) return;
    setSending(true);
    setText("");
    props
      .send(said)
      .catch(() => setText((now) => (now === "" ? said : `${said}\n\n${now}`)))
      .finally(() => setSending(false));
  };
  const take = (index?: number) => {
    const chosen = completion.choose(index);
    if (chosen === undefined) return false;
    setText(chosen.text);
    setCursor(chosen.cursor);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(chosen.cursor, chosen.cursor);
    });
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const hasList = completion.items.length > 0;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && completion.move(step)) event.preventDefault();
    else if ((event.key === "Enter" || event.key === "Tab") && hasList && !event.shiftKey && take())
      event.preventDefault();
    else if (event.key === "Escape" && hasList) {
      event.preventDefault();
      completion.close();
    } else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      send();
    }
  };
  const follow = (area: HTMLTextAreaElement) => setCursor(area.selectionStart);
  return (
    <div class="composer stack relative rounded surface">
      <span class="unseen" role="status">
        {completion.items.length > 0 &&
          `${count(completion.items.length, "session")}; arrow keys choose, Enter takes one`}
      </span>
      <Options
        id={LIST}
        label="Past sessions"
        options={completion.items.map(({ value, label, description }) => ({
          key: value,
          text: label,
          detail: description,
        }))}
        chosen={completion.at}
        isOpen={completion.items.length > 0}
        take={(_, at) => void take(at)}
      />
      <textarea
        ref={field}
        rows={1}
        value={text}
        aria-label={props.label}
        placeholder={props.placeholder}
        aria-autocomplete="list"
        {...(completion.items.length > 0
          ? { "aria-controls": LIST, "aria-activedescendant": optionId(LIST, completion.at) }
          : {})}
        onInput={(event) => {
          setText(event.currentTarget.value);
          follow(event.currentTarget);
        }}
        onKeyUp={(event) => follow(event.currentTarget)}
        onClick={(event) => follow(event.currentTarget)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-actions row gap-2">
        <span class="muted small grow">
          {isWorking ? "Enter queues · Esc stops" : "Enter sends · Shift+Enter new line · @@ past sessions"}
        </span>
        {isWorking && props.stop && (
          <Button icon={Square} onClick={props.stop} hint="Esc">
            Stop
          </Button>
        )}
        <Button
          kind="primary"
          icon={ArrowUp}
          aria-label={isWorking ? "Queue" : "Send"}
          disabled={text.trim() === "" || isSending || props.disabled === true}
          onClick={send}
        />
      </div>
    </div>
  );
}

/** Longer drafts can be sent, but are not stored. */
const MOST_DRAFT = 200_000;

function writeDraft(name: string, text: string): void {
  if (text === "") dropDraft(name);
  else keepDraft(name, { text: text.slice(0, MOST_DRAFT), checksum: "" });
}
