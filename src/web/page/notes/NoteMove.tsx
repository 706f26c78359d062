import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { NoteAnswer } from "../../api/notes.ts";
import { act } from "../core/act.ts";
import { attempt, useAction } from "../core/action.ts";
import { noteAddress } from "../core/address.ts";
import type { ApiFailure } from "../core/api.ts";
import { notify } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { shortUri } from "./addresses.ts";

/** Moves a note to another address. Links in other notes are not changed, so this says how many there are. */
export function NoteMove({ note, done }: { note: NoteAnswer; done: () => void }) {
  const { route } = useLocation();
  const [to, setTo] = useState(shortUri(note.uri));
  const { failure, run } = useAction();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const move = async () => {
    const { uri } = await act("move", { note: note.uri, to });
    done();
    route(noteAddress(uri), true);
    notify(`Moved to ${shortUri(uri)}`, { undo: () => void back(uri) });
  };
  const back = (uri: string) =>
    attempt("Could not move the note back", async () => {
      const moved = await act("move", { note: uri, to: shortUri(note.uri) });
      route(noteAddress(moved.uri), true);
    });
  return (
    <form
      class="note-move box flex wrap gap-2 surface-2 pad-3"
      onSubmit={(event) => {
        event.preventDefault();
        void run(move);
      }}
    >
      <label>
        New address
        <input
          ref={field}
          value={to}
          aria-invalid={failure !== undefined}
          onInput={({ currentTarget }) => setTo(currentTarget.value)}
          onKeyDown={({ key }) => key === "Escape" && done()}
        />
      </label>
      <Button type="submit" kind="primary">
        Move
      </Button>
      <Button onClick={done}>Cancel</Button>
      {note.backlinks.length > 0 && (
        <p class="muted small">
          {note.backlinks.length === 1 ? "1 note links" : `${note.backlinks.length} notes link`} here. Links
          by title go on working; links by file name do not.
        </p>
      )}
      <FieldFailure failure={failure} />
    </form>
  );
}

/** Why a form was refused, below its fields. */
export function FieldFailure({ failure }: { failure: ApiFailure | undefined }) {
  if (failure === undefined) return null;
  return (
    <p class="field-failure bad" role="alert">
      {failure.message}
      {failure.hint && ` (${failure.hint})`}
    </p>
  );
}
