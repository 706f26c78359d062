import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Scope, Suggestion, SuggestionKind } from "../../api/suggestions.ts";
import { turnAddress } from "../core/address.ts";
import { Badge, HostName } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { InlineCode } from "../parts/InlineCode.tsx";
import { Time } from "../parts/Time.tsx";
import { History } from "./History.tsx";
import { effectOf } from "./queue.ts";

const KINDS: Readonly<Record<SuggestionKind, string>> = {
  pattern: "How you work",
  insight: "Insight",
  self_knowledge: "About the assistant",
  check: "Check of a rule",
  question: "Rule that agents keep breaking",
};

interface Props {
  readonly one: Suggestion;
  readonly scope: Scope;
  readonly isEditing: boolean;
  setScope(scope: Scope): void;
  setEditing(isEditing: boolean): void;
  accept(text?: string): void;
  reject(): void;
  mute(): void;
  /** Goes on to the next one; absent if there is none. */
  readonly later?: (() => void) | undefined;
}

/** A suggestion, the words that it comes from, and what can be done with it. */
export function SuggestionCard(props: Props) {
  const { one, isEditing } = props;
  return (
    <article class="suggestion box stack gap-4 surface" aria-label="Suggestion">
      <div class="flex wrap gap-2">
        <Badge>{KINDS[one.kind]}</Badge>
        {one.byModel && <Badge title="Suggested by a model; the quote is its reason">by a model</Badge>}
        {one.similarTo !== undefined && (
          <Badge tone="warn" title={one.similarTo}>
            similar to one you rejected
          </Badge>
        )}
      </div>
      {isEditing ? (
        <Editor {...props} />
      ) : (
        <p class="suggestion-text">
          <InlineCode text={one.text} />
        </p>
      )}
      {!isEditing && one.pattern !== undefined && (
        <p class="suggestion-pattern muted break">
          Pattern <code>{one.pattern}</code>
        </p>
      )}
      {one.similarTo !== undefined && <p class="muted break">You rejected: “{one.similarTo}”</p>}
      <Origin one={one} />
      {(one.kind === "check" || one.tried !== undefined) && <History one={one} />}
      <ScopeChoice {...props} />
      {!isEditing && one.kind === "question" && (
        <div class="row wrap gap-2">
          <Button kind="primary" hint="a" onClick={() => props.accept()}>
            Refuse it from now on
          </Button>
          <Button hint="r" onClick={props.reject}>
            Keep checking
          </Button>
          <Button hint="m" onClick={props.mute}>
            Stop checking
          </Button>
          <Later later={props.later} />
          <p class="suggestion-effect faint small">
            “Stop checking” mutes the rule in {one.project ?? "this project"}.
          </p>
        </div>
      )}
      {!isEditing && one.kind !== "question" && (
        <div class="row wrap gap-2">
          <Button kind="primary" hint="a" onClick={() => props.accept()}>
            Accept
          </Button>
          <Button hint="e" onClick={() => props.setEditing(true)}>
            Edit
          </Button>
          <Button hint="r" onClick={props.reject}>
            Reject
          </Button>
          <Later later={props.later} />
          <p class="suggestion-effect faint small">
            {effectOf(one, props.scope)}
            {one.project !== undefined && one.isFixed !== true && (
              <span class="by-key">
                {" "}
                <kbd>s</kbd> changes that.
              </span>
            )}
          </p>
        </div>
      )}
    </article>
  );
}

function Origin({ one }: { one: Suggestion }) {
  const { session, turn, rule } = one;
  return (
    <figure class="suggestion-origin stack gap-2">
      {one.quote !== "" && <blockquote>{one.quote}</blockquote>}
      <figcaption class="flex wrap gap-1-3 muted small">
        {rule === undefined ? (
          <span>{one.quote === "" ? "From" : "You said this in"}</span>
        ) : (
          <span>
            {one.quote === "" ? "About" : "From"} the rule {rule.name} ({rule.path})
          </span>
        )}
        {session !== undefined &&
          (session.host === undefined ? (
            <span>session {session.id}</span>
          ) : (
            <a class="link" href={turnAddress(session.host, session.id, turn)}>
              this session
            </a>
          ))}
        {session?.host !== undefined && <HostName host={session.host} />}
        {one.project !== undefined && <span>{one.project}</span>}
        {one.at !== null && <Time at={one.at} />}
      </figcaption>
    </figure>
  );
}

/** Skips the suggestion: nothing is decided, and the next one is shown. */
function Later({ later }: Pick<Props, "later">) {
  if (later === undefined) return null;
  return (
    <Button hint="j" onClick={later}>
      Later
    </Button>
  );
}

/** Shown only if the project is known: otherwise it can only apply everywhere. */
function ScopeChoice({ one, scope, setScope }: Props) {
  if (one.project === undefined || one.isFixed === true) return null;
  const choices: readonly (readonly [Scope, string])[] = [
    ["project", `Only ${one.project}`],
    ["everywhere", "All projects"],
  ];
  return (
    <fieldset class="suggestion-scope row wrap gap-2-4">
      <legend>
        Holds for <kbd>s</kbd>
      </legend>
      {choices.map(([value, label]) => (
        <label key={value} class="inline-row gap-tight pointer">
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
  const given = one.pattern ?? one.text;
  const [text, setText] = useState(given);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(given.length, given.length);
  }, []);
  const isEmpty = text.trim() === "";
  const save = () => {
    if (!isEmpty) accept(text.trim() === given ? undefined : text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") setEditing(false);
    else if (event.key === "Enter" && !event.shiftKey) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="stack gap-3">
      <textarea
        ref={field}
        class="reading-type full"
        rows={3}
        maxLength={MAX_TEXT}
        aria-label={one.kind === "check" ? "The pattern to check" : "The text to learn"}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="row wrap gap-2">
        <Button kind="primary" hint="Enter" disabled={isEmpty} onClick={save}>
          {one.kind === "check" ? "Accept this pattern" : "Accept this text"}
        </Button>
        <Button hint="Esc" onClick={() => setEditing(false)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
