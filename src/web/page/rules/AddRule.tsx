import { Plus } from "lucide";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf } from "../../api/actions.ts";
import { act } from "../core/act.ts";
import { useAction } from "../core/action.ts";
import { notify } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Failed } from "../parts/States.tsx";
import { TryHistory } from "./TryHistory.tsx";

interface Props {
  /** The project's folder. */
  readonly project: string;
  onAdded(rule: AnswerOf<"rules add">): void;
}

/** A button and the form that it opens, with the fields of `continuo rules add`. */
export function AddRule({ project, onAdded }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <div>
        <Button icon={Plus} onClick={() => setOpen(true)}>
          Add a rule
        </Button>
      </div>
    );
  return (
    <Form
      project={project}
      close={() => setOpen(false)}
      onAdded={(rule) => {
        setOpen(false);
        notify(`Added the rule ${rule.name}${rule.when === "always" ? "" : `: given ${rule.when}`}`);
        onAdded(rule);
      }}
    />
  );
}

/** The text as the file will contain it, to try it. */
function withGlobs(text: string, globs: string): string {
  return globs.trim() === "" ? text : `---\nglobs: ${JSON.stringify(globs.trim())}\n---\n${text}`;
}

function Form({ project, close, onAdded }: Props & { close(): void }) {
  const [text, setText] = useState("");
  const [globs, setGlobs] = useState("");
  const [scope, setScope] = useState<"project" | "user">("project");
  const { failure, isRunning, run } = useAction();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const isEmpty = text.trim() === "";
  const add = async () => {
    if (isEmpty) return;
    const files = globs.trim() === "" ? {} : { globs: [globs] };
    const place = scope === "user" ? { user: true } : { project };
    onAdded(await act("rules add", { text, ...files, ...place }));
  };
  return (
    <form
      class="stack gap-3"
      aria-label="Add a rule"
      onSubmit={(event) => {
        event.preventDefault();
        void run(add);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isEmpty) return; // Escape must not lose typed text
        event.stopPropagation();
        close();
      }}
    >
      <label class="field">
        <span>The rule</span>
        <textarea
          ref={field}
          rows={3}
          placeholder="Run the tests before you say done."
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Only for these files (optional)</span>
        <input
          type="text"
          class="try-code"
          placeholder="src/**/*.ts"
          value={globs}
          onInput={({ currentTarget }) => setGlobs(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>For</span>
        <select
          value={scope}
          onChange={({ currentTarget }) => setScope(currentTarget.value === "user" ? "user" : "project")}
        >
          <option value="project">this project, in .continuo/rules</option>
          <option value="user">all my projects</option>
        </select>
      </label>
      <div class="flex wrap gap-2">
        <Button type="submit" kind="primary" disabled={isEmpty || isRunning}>
          Add
        </Button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
      {failure && <Failed failure={failure} />}
      <TryHistory project={project} text={withGlobs(text, globs)} />
    </form>
  );
}
