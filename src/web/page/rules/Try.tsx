import { useEffect, useState } from "preact/hooks";
import type { TryAnswer, TryRequest } from "../../api/rules.ts";
import { ApiFailure, api } from "../core/api.ts";
import { count } from "../core/format.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Failed } from "../parts/States.tsx";

const ACTIONS = {
  deny: "would be stopped",
  ask: "would have to be confirmed",
  remind: "breaks a rule, and the agent would be told",
  report: "breaks a rule, which would be recorded",
} as const;

/** What is tried, as the address has it. */
export interface Tried {
  readonly path?: string | undefined;
  readonly prompt?: string | undefined;
  readonly command?: string | undefined;
}

/** Longer texts do not fit into an address. */
const MOST_IN_ADDRESS = 500;

interface Props extends Tried {
  readonly project: string;
  /** Puts what was tried into the address. */
  readonly keep?: ((tried: Required<Tried>) => void) | undefined;
  /** Told what came of it; undefined when it no longer holds. */
  readonly onAnswer: (answer: TryAnswer | undefined) => void;
}

/** Which rules would a path, a prompt or a command bring? Nothing is run and nothing is stored. */
export function Try(props: Props) {
  const [path, setPath] = useState(props.path ?? "");
  const [prompt, setPrompt] = useState(props.prompt ?? "");
  const [command, setCommand] = useState(props.command ?? "");
  const [answer, showAnswer] = useState<TryAnswer | undefined>();
  const setAnswer = (after: TryAnswer | undefined) => {
    showAnswer(after);
    props.onAnswer(after);
  };
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const isEmpty = `${path}${prompt}${command}`.trim() === "";
  const run = async () => {
    setFailure(undefined);
    const request: TryRequest = {
      project: props.project,
      ...(path.trim() === "" ? {} : { path: path.trim() }),
      ...(prompt.trim() === "" ? {} : { prompt }),
      ...(command.trim() === "" ? {} : { command }),
    };
    try {
      setAnswer(await api.post<TryAnswer>("/rules/try", request));
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setAnswer(undefined);
      setFailure(error);
    }
  };
  useEffect(() => {
    setAnswer(undefined);
    if (!isEmpty) void run();
  }, [props.project]);
  return (
    <form
      class="try-rules"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty) return;
        const fitting = (text: string) => (text.length > MOST_IN_ADDRESS ? "" : text.trim());
        props.keep?.({ path: fitting(path), prompt: fitting(prompt), command: fitting(command) });
        void run();
      }}
    >
      <h2>Try it</h2>
      <div class="try-fields">
        <Field label="A file is touched" placeholder="src/cart.ts" value={path} set={setPath} isCode />
        <Field label="A prompt says" placeholder="prepare a release" value={prompt} set={setPrompt} />
        <Field
          label="A command is run"
          placeholder="git push --force"
          value={command}
          set={setCommand}
          isCode
        />
        <Button type="submit" disabled={isEmpty}>
          Try
        </Button>
      </div>
      {failure && <Failed failure={failure} />}
      <div aria-live="polite">{answer && <Answer answer={answer} />}</div>
    </form>
  );
}

function Field(props: {
  label: string;
  placeholder: string;
  value: string;
  set: (value: string) => void;
  isCode?: boolean;
}) {
  return (
    <label>
      <span>{props.label}</span>
      <input
        type="text"
        class={props.isCode ? "try-code" : ""}
        placeholder={props.placeholder}
        value={props.value}
        onInput={({ currentTarget }) => props.set(currentTarget.value)}
      />
    </label>
  );
}

function Answer({ answer }: { answer: TryAnswer }) {
  const { rules, total, others, verdict, isTrusted } = answer;
  const inOrder = [...rules.filter(({ isNew }) => isNew), ...rules.filter(({ isNew }) => !isNew)];
  return (
    <div class="try-answer">
      {verdict && (
        <p class="try-verdict">
          <Badge tone={verdict.action === "deny" ? "bad" : "warn"}>{verdict.action}</Badge> The command{" "}
          {ACTIONS[verdict.action]}: {verdict.message}
          {!isTrusted &&
            verdict.action !== "remind" &&
            ". A project's checks stop nothing until you trust it."}
        </p>
      )}
      {inOrder.length === 0 && <p class="rules-note">No rule applies.</p>}
      <ul class="rules-rows">
        {inOrder.map((one) => (
          <li key={one.key} class="tried">
            <span class="rule-name">{one.name}</span>
            {one.isNew ? <Badge tone="good">applies now</Badge> : <Badge>always</Badge>}
            <span class="rule-condition">{one.because}</span>
          </li>
        ))}
      </ul>
      {total > inOrder.length && (
        <p class="rules-note">
          The first {inOrder.length} of {total}.
        </p>
      )}
      {others.length > 0 && (
        <details>
          <summary>
            {count(others.length, "rule")} {others.length === 1 ? "does" : "do"} not apply: why?
          </summary>
          <ul class="rules-rows">
            {others.map((one) => (
              <li key={one.key} class="tried">
                <span class="rule-name">{one.name}</span>
                <span class="rule-condition">{one.because}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
