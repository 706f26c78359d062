import { Button } from "../../parts/Button.tsx";
import { Diff } from "../../parts/diff/Diff.tsx";
import { loadedLater } from "../../parts/loaded-later.ts";

const differ = loadedLater(() => import("./two-texts.ts"));

/** The file changed on the disk while it was edited here: shows both, and the person decides. */
export function Conflict(props: {
  name: string;
  theirs: string;
  mine: string;
  keepMine: () => void;
  takeTheirs: () => void;
}) {
  const code = differ();
  const difference = code?.diffOf(props.name, props.theirs, props.mine);
  return (
    <div class="conflict" role="alert">
      <p>
        <strong>{props.name} changed on the disk</strong> since you began to edit it. Your text is below and
        is not lost. This is how it differs:
      </p>
      {code !== undefined &&
        (difference === undefined ? (
          <p class="muted">The texts differ too much to compare.</p>
        ) : (
          <Diff text={difference} />
        ))}
      <div class="conflict-choice">
        <Button onClick={props.keepMine}>Save mine</Button>
        <Button onClick={props.takeTheirs}>Use the one on the disk</Button>
      </div>
    </div>
  );
}
