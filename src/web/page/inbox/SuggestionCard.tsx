import { useEffect, useRef, useState } from "preact/hooks";
import type { LearningKind, Scope, Suggestion } from "../../api/inbox.ts";
import { turnAddress } from "../core/address.ts";
import { Badge, HostName } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Time } from "../parts/Time.tsx";
import { effectOf } from "./queue.ts";

const KINDS: Readonly<Record<LearningKind, string>> = {
  pattern: "How you work",
  insight: "Insight",
  self_knowledge: "About the assistant",
};

interface Props {
  readonly one: Suggestion;
  readonly scope: Scope;
  readonly isEditing: boolean;
  setScope(scope: Scope): void;
  setEditing(isEditing: boolean): void;
  accept(text?: string): void;
  reject(): void;
}

/** A suggestion, the words that it comes from, and what can be done about it. */
export function SuggestionCard(props: Props) {
  const { one, isEditing } = props;
  return (
    <article class="suggestion" aria-label="Suggestion">
      <div class="suggestion-kind">
        <Badge>{KINDS[one.kind]}</Badge>
        {one.byModel && <Badge title="A model suggested it; the quote is its reason">by a model</Badge>}
        {one.similarTo !== undefined && (
          <Badge tone="warn" title={one.similarTo}>
            similar to one you rejected
          </Badge>
        )}
      </div>
      {isEditing ? <Editor {...props} /> : <p class="suggestion-text">{one.text}</p>}
      {one.similarTo !== undefined && <p class="suggestion-similar">You rejected: “{one.similarTo}”</p>}
      <Origin one={one} />
      <ScopeChoice {...props} />
      {!isEditing && (
        <div class="suggestion-actions">
          <Button kind="primary" hint="a" onClick={() => props.accept()}>
            Accept
          </Button>
          <Button hint="e" onClick={() => props.setEditing(true)}>
            Edit
          </Button>
          <Button hint="r" onClick={props.reject}>
            Reject
          </Button>
          <p class="suggestion-effect">
            {effectOf(one, props.scope)}
            {one.project !== undefined && (
              <>
                {" "}
                <kbd>s</kbd> changes that.
              </>
            )}
          </p>
        </div>
      )}
    </article>
  );
}

function Origin({ one }: { one: Suggestion }) {
  const { session, turn } = one;
  return (
    <figure class="suggestion-origin">
      {one.quote !== "" && <blockquote>{one.quote}</blockquote>}
      <figcaption>
        <span>{one.quote === "" ? "From" : "You said this in"}</span>
        {session.host === undefined ? (
          <span>session {session.id}</span>
        ) : (
          <a class="link" href={turnAddress(session.host, session.id, turn)}>
            this session
          </a>
        )}
        {session.host !== undefined && <HostName host={session.host} />}
        {one.project !== undefined && <span>{one.project}</span>}
        {one.at !== null && <Time at={one.at} />}
      </figcaption>
    </figure>
  );
}

/** Only where the project is known: else it can only hold everywhere. */
function ScopeChoice({ one, scope, setScope }: Props) {
  if (one.project === undefined) return null;
  const choices: readonly (readonly [Scope, string])[] = [
    ["project", `Only ${one.project}`],
    ["everywhere", "All projects"],
  ];
  return (
    <fieldset class="suggestion-scope">
      <legend>
        Holds for <kbd>s</kbd>
      </legend>
      {choices.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="scope"
            value={value}
            checked={scope === value}
            onChange={() => setScope(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

const MAX_TEXT = 4_000;

function Editor({ one, accept, setEditing }: Props) {
  const [text, setText] = useState(one.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(one.text.length, one.text.length);
  }, []);
  const isEmpty = text.trim() === "";
  const save = () => {
    if (!isEmpty) accept(text.trim() === one.text ? undefined : text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") setEditing(false);
    else if (event.key === "Enter" && !event.shiftKey) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="suggestion-editor">
      <textarea
        ref={field}
        rows={3}
        maxLength={MAX_TEXT}
        aria-label="The text to learn"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="suggestion-actions">
        <Button kind="primary" hint="Enter" disabled={isEmpty} onClick={save}>
          Accept this text
        </Button>
        <Button hint="Esc" onClick={() => setEditing(false)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
