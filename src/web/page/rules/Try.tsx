import { useEffect, useState } from "preact/hooks";
import type { TryAnswer, TryRequest } from "../../api/rules.ts";
import { type ApiFailure, api, failureOf } from "../core/api.ts";
import { Button } from "../parts/Button.tsx";
import { Failed } from "../parts/States.tsx";
import { Answered } from "./Answered.tsx";

/** What is tried, as stored in the address. */
export interface Tried {
  readonly path?: string | undefined;
  readonly prompt?: string | undefined;
  readonly command?: string | undefined;
  /** The text that an edit adds to the file. */
  readonly text?: string | undefined;
}

/** Longer texts do not fit into an address. */
const MOST_IN_ADDRESS = 500;

interface Props extends Tried {
  readonly project: string;
  /** Stores what was tried in the address. */
  readonly keep?: ((tried: Required<Tried>) => void) | undefined;
  /** Called with the result; undefined when it is outdated. */
  readonly onAnswer: (answer: TryAnswer | undefined) => void;
}

/**
 * Which rules would a file, a prompt or a command bring, and what would their checks report? Runs and stores nothing.
 */
export function Try(props: Props) {
  const [path, setPath] = useState(props.path ?? "");
  const [prompt, setPrompt] = useState(props.prompt ?? "");
  const [command, setCommand] = useState(props.command ?? "");
  const [text, setText] = useState(props.text ?? "");
  const [answer, showAnswer] = useState<TryAnswer | undefined>();
  const setAnswer = (after: TryAnswer | undefined) => {
    showAnswer(after);
    props.onAnswer(after);
  };
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const isEmpty = `${path}${prompt}${command}${text}`.trim() === "";
  const run = async () => {
    setFailure(undefined);
    const request: TryRequest = {
      project: props.project,
      ...(path.trim() === "" ? {} : { path: path.trim() }),
      ...(prompt.trim() === "" ? {} : { prompt }),
      ...(command.trim() === "" ? {} : { command }),
      ...(text.trim() === "" ? {} : { text }),
    };
    try {
      setAnswer(await api.post<TryAnswer>("/rules/try", request));
    } catch (error) {
      setAnswer(undefined);
      setFailure(failureOf(error));
    }
  };
  useEffect(() => {
    setAnswer(undefined);
    if (!isEmpty) void run();
  }, [props.project]);
  return (
    <form
      class="try-rules stack gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty) return;
        const fitting = (typed: string) => (typed.length > MOST_IN_ADDRESS ? "" : typed);
        props.keep?.({
          path: fitting(path.trim()),
          prompt: fitting(prompt.trim()),
          command: fitting(command.trim()),
          text: fitting(text),
        });
        void run();
      }}
    >
      <h2>Try it</h2>
      <div class="try-fields">
        <Field
          label="A file is read, edited or mentioned"
          placeholder="src/cart.ts"
          value={path}
          set={setPath}
          isCode
          isRequired={text.trim() !== ""}
        />
        <Field label="A prompt says" placeholder="prepare a release" value={prompt} set={setPrompt} />
        <Field
          label="A command is run"
          placeholder="git push --force"
          value={command}
          set={setCommand}
          isCode
        />
        <label class="field try-text">
          <span>An edit adds this text to the file</span>
          <textarea
            class="try-code"
            rows={2}
            spellcheck={false}
            placeholder="const total: any = 0;"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <Button type="submit" disabled={isEmpty}>
          Try
        </Button>
      </div>
      {failure && <Failed failure={failure} />}
      <div aria-live="polite">{answer && <Answered answer={answer} />}</div>
    </form>
  );
}

function Field(props: {
  label: string;
  placeholder: string;
  value: string;
  set: (value: string) => void;
  isCode?: boolean;
  isRequired?: boolean;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        type="text"
        class={props.isCode ? "try-code" : ""}
        placeholder={props.placeholder}
        required={props.isRequired === true}
        value={props.value}
        onInput={({ currentTarget }) => props.set(currentTarget.value)}
      />
    </label>
  );
}
