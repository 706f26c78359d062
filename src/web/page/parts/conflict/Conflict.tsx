import { Button } from "../Button.tsx";
import { Diff } from "../diff/Diff.tsx";
import { loadedLater } from "../loaded-later.ts";

const differ = loadedLater(() => import("./compare.ts"));

interface Props {
  /** What happened, as the beginning of a sentence. */
  readonly what: string;
  readonly name: string;
  readonly theirs: string;
  readonly mine: string;
  keepMine(): void;
  takeTheirs(): void;
}

/** A text was saved elsewhere while it was edited here: shows the differences, and the user decides. */
export function Conflict({ what, name, theirs, mine, keepMine, takeTheirs }: Props) {
  const code = differ();
  const difference = code?.compare(name, theirs, mine);
  return (
    <section class="conflict stack gap-2 fixed rounded pad-3" role="alert" aria-label={what}>
      <div class="row wrap between gap-2-4">
        <p>
          <strong>{what}</strong> since you began to edit it. Red lines are in the saved text, green lines are
          yours.
        </p>
        <div class="flex wrap gap-2">
          <Button onClick={takeTheirs}>Take the saved text</Button>
          <Button kind="primary" onClick={keepMine}>
            Save mine over it
          </Button>
        </div>
      </div>
      <div class="conflict-diff grow short rounded surface">
        {code !== undefined && difference === undefined && (
          <p class="muted">The texts are too long or too different to compare here.</p>
        )}
        {difference !== undefined && <Diff text={difference} path={name} />}
      </div>
    </section>
  );
}
