import { FolderInput, Pencil, Trash2 } from "lucide";
import { useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { NoteAnswer } from "../../api/notes.ts";
import { act, actAsked } from "../core/act.ts";
import { attempt } from "../core/action.ts";
import { noteAddress } from "../core/address.ts";
import type { ApiFailure } from "../core/api.ts";
import { dropDraft, readDraft } from "../core/drafts.ts";
import { bytes } from "../core/format.ts";
import { notify } from "../core/notices.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Markdown } from "../parts/markdown/Markdown.tsx";
import { Page } from "../parts/Page.tsx";
import { Failed } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";
import { shortUri } from "./addresses.ts";
import { linksOf } from "./links.ts";
import { NoteMove } from "./NoteMove.tsx";
import { NoteSide } from "./NoteSide.tsx";

interface Props {
  readonly note: NoteAnswer;
  readonly failure: ApiFailure | undefined;
  reload(): void;
}

export function NoteReading({ note, failure, reload }: Props) {
  const { route } = useLocation();
  const [isMoving, setMoving] = useState(false);
  const noteLink = useMemo(() => linksOf(note.links), [JSON.stringify(note.links)]);
  const body = withoutTitle(note.text.slice(note.bodyAt), note.title);
  const { isWritable } = note.root;
  const remove = () => void deleteNote(note, route);
  return (
    <Page
      title={note.title}
      width="reading"
      sideLabel="About this note"
      side={<NoteSide note={note} />}
      actions={
        isWritable && (
          <>
            {note.isEditable && (
              <Button icon={Pencil} hint="E" onClick={() => route(noteAddress(note.uri, { edit: "true" }))}>
                {readDraft(note.uri) ? "Continue editing" : "Edit"}
              </Button>
            )}
            <Button
              kind="quiet"
              icon={FolderInput}
              aria-label="Rename or move"
              aria-expanded={isMoving}
              onClick={() => setMoving(!isMoving)}
            />
            <Button kind="quiet" icon={Trash2} aria-label="Delete" onClick={remove} />
          </>
        )
      }
      bar={
        <div class="row wrap gap-1-3 muted small pad-top-1">
          <span class="note-uri">{shortUri(note.uri)}</span>
          <span>
            changed <Time at={note.modified} />
          </span>
          {note.project !== undefined && (
            <Badge tone={note.relation === "own" ? "accent" : "plain"}>
              {note.project === "none" ? "all projects" : note.project}
            </Badge>
          )}
          {note.tags.slice(0, 12).map((tag) => (
            <a key={tag} class="note-tag muted small" href={`/memory?tag=${encodeURIComponent(tag)}`}>
              #{tag}
            </a>
          ))}
          {!isWritable && <Badge title="This folder belongs to another program">read only</Badge>}
        </div>
      }
    >
      {failure && <Failed failure={failure} retry={reload} />}
      {isMoving && <NoteMove note={note} done={() => setMoving(false)} />}
      {note.problems.map((problem) => (
        <p key={problem} class="memory-notice warn break rounded">
          This note has a problem: {problem}. Its file: <code>{note.path}</code> ({bytes(note.size)})
        </p>
      ))}
      <article>
        <div class="reading-type">
          {body.trim() === "" ? (
            <p class="muted">{note.problems.length > 0 ? "Nothing can be shown." : "This note is empty."}</p>
          ) : (
            <Markdown text={body} noteLink={noteLink} />
          )}
        </div>
      </article>
    </Page>
  );
}

/** Removes a heading that repeats the title, because the page already shows the title. */
function withoutTitle(body: string, title: string): string {
  const found = /^\s*# +([^\n]*)\n?/.exec(body);
  return found?.[1]?.replace(/\s+#*\s*$/, "").trim() === title ? body.slice(found[0].length) : body;
}

/** Deletes a note and offers to restore it. */
function deleteNote(note: NoteAnswer, route: (address: string) => void): Promise<void> {
  const restore = (undo: string) =>
    attempt("Could not restore the note", async () => {
      await act("restore", { name: undo });
      route(noteAddress(note.uri));
    });
  return attempt("Could not delete the note", async () => {
    const shown = { note: note.uri, permanent: false, checksum: note.checksum };
    const { id: undo } = (await actAsked("delete", shown, "yes")) ?? {};
    dropDraft(note.uri);
    route("/memory");
    notify(`Deleted "${note.title}"`, undo === undefined ? {} : { undo: () => void restore(undo) });
  });
}
