import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/Button.tsx";
import { Diff } from "../parts/diff/Diff.tsx";

interface Props {
  readonly mine: string;
  readonly theirs: string;
  useMine(): void;
  useTheirs(): void;
}

/** The note changed since it was opened: both versions as a diff, and a choice. */
export function Conflict({ mine, theirs, useMine, useTheirs }: Props) {
  const [patch, setPatch] = useState<string | undefined>();
  useEffect(() => {
    let isCurrent = true;
    void import("./compare.ts").then(({ compare }) => {
      if (isCurrent) setPatch(compare(theirs, mine));
    });
    return () => {
      isCurrent = false;
    };
  }, [mine, theirs]);
  return (
    <section class="conflict" role="alert" aria-label="The note changed">
      <div class="conflict-head">
        <p>
          <strong>This note was changed elsewhere since you opened it.</strong> Red lines are in the saved
          note, green lines are yours.
        </p>
        <div class="conflict-choice">
          <Button onClick={useTheirs}>Take the saved note</Button>
          <Button kind="primary" onClick={useMine}>
            Save mine over it
          </Button>
        </div>
      </div>
      <div class="conflict-diff">
        {patch === "" && <p class="muted">The texts are too long to compare here, or are the same.</p>}
        {patch && <Diff text={patch} />}
      </div>
    </section>
  );
}
