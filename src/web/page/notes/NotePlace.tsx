import { useLocation, useRoute } from "preact-iso/router";
import type { NoteAnswer } from "../../api/notes.ts";
import { noteAddress, useQuery } from "../core/address.ts";
import { beginSearchThere, useKeys } from "../core/keys.ts";
import { useGet } from "../core/resource.ts";
import { Page } from "../parts/Page.tsx";
import { Failed, Skeleton } from "../parts/States.tsx";
import { newNoteAddress, notePath } from "./addresses.ts";
import { NoteEditing } from "./NoteEditing.tsx";
import { NoteReading } from "./NoteReading.tsx";

/** `/memory/NOTE`, and with `?edit=true` its editor. */
export default function NotePlace() {
  const { params } = useRoute();
  const { query } = useQuery();
  const { route } = useLocation();
  const given = params["note"] ?? "";
  const uri = given.startsWith("memory://") ? given : `memory://${given}`;
  const note = useGet<NoteAnswer>(notePath(uri), {}, ["notes"]);
  const isEditing = query["edit"] === "true";
  useKeys(
    {
      e: { what: "edit this note", run: () => route(noteAddress(uri, { edit: "true" })) },
      n: { what: "new note", run: () => route(newNoteAddress()) },
      "/": {
        what: "search notes",
        run: () => {
          beginSearchThere();
          route("/memory");
        },
      },
    },
    !isEditing,
  );
  const { data, failure } = note;
  if (data === undefined)
    return (
      <Page title="Note" width="reading">
        {failure ? <Failed failure={failure} retry={note.reload} /> : note.isSlow && <Skeleton lines={10} />}
      </Page>
    );
  const isGone = failure?.code === "note-not-found";
  return isEditing && data.isEditable ? (
    <NoteEditing key={uri} note={data} isGone={isGone} set={note.set} />
  ) : (
    <NoteReading key={uri} note={data} failure={failure} reload={note.reload} />
  );
}
