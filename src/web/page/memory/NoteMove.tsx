import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { NoteAnswer, NoteChanged } from "../../api/memory.ts";
import { noteAddress } from "../core/address.ts";
import { type ApiFailure, api, failureOf } from "../core/api.ts";
import { notify, notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { notePath, shortUri } from "./addresses.ts";

/** Another address for a note: in place of a dialog. Links of other notes are not changed, so it says how many there are. */
export function NoteMove({ note, done }: { note: NoteAnswer; done: () => void }) {
  const { route } = useLocation();
  const [to, setTo] = useState(shortUri(note.uri));
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const move = async (event: Event) => {
    event.preventDefault();
    try {
      const { uri } = await api.post<NoteChanged>(notePath(note.uri, "/move"), { to });
      done();
      route(noteAddress(uri), true);
      notify(`Moved to ${shortUri(uri)}`, { undo: () => void back(uri) });
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  const back = async (uri: string) => {
    try {
      const moved = await api.post<NoteChanged>(notePath(uri, "/move"), { to: shortUri(note.uri) });
      route(noteAddress(moved.uri), true);
    } catch (error) {
      notifyFailure("Could not move the note back", error);
    }
  };
  return (
    <form class="note-move box flex wrap gap-2 surface-2 pad-3" onSubmit={(event) => void move(event)}>
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
      {failure && (
        <p class="field-failure bad" role="alert">
          {failure.message}
          {failure.hint && ` (${failure.hint})`}
        </p>
      )}
    </form>
  );
}
