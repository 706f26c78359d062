import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { NoteFacets } from "../../api/notes.ts";
import { act } from "../core/act.ts";
import { useAction } from "../core/action.ts";
import { noteAddress, useQuery } from "../core/address.ts";
import { dropDraft, keepDraft, readDraft } from "../core/drafts.ts";
import { useKeys } from "../core/keys.ts";
import { notify } from "../core/notices.ts";
import { useGet } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Page } from "../parts/Page.tsx";
import { newNoteAddress } from "./addresses.ts";
import { Editor } from "./Editor.tsx";
import { isMac } from "./NoteEditing.tsx";
import { FieldFailure } from "./NoteMove.tsx";

/** The key under which a new note's draft is stored. */
const NEW_NOTE = "new";

/** A new note. Title and folder form its address; an existing note is never replaced. */
export function NewNote() {
  const { query } = useQuery();
  const { route } = useLocation();
  const [title, setTitle] = useState(query["title"] ?? "");
  const [folder, setFolder] = useState(query["folder"] ?? "");
  const [project, setProject] = useState("");
  const [text, setText] = useState(readDraft(NEW_NOTE)?.text ?? "");
  const { failure, isRunning, run } = useAction();
  const field = useRef<HTMLInputElement>(null);
  const facets = useGet<NoteFacets>("/notes/facets");
  useLayoutEffect(() => {
    if (query["title"] === undefined) field.current?.focus();
  }, []);
  const change = (next: string) => {
    setText(next);
    if (next === "") dropDraft(NEW_NOTE, text);
    else keepDraft(NEW_NOTE, { text: next, checksum: "" });
  };
  const save = () =>
    run(
      async () => {
        const { uri } = await act("write", {
          title,
          content: text,
          ...(folder.trim() === "" ? {} : { folder: folder.trim() }),
          ...(project === "" ? {} : { project }),
        });
        dropDraft(NEW_NOTE, text);
        route(noteAddress(uri), true);
        notify("Saved");
      },
      () => field.current?.focus(),
    );
  const leave = () => route("/memory");
  useKeys({
    "Mod+s": { what: "save the note", run: () => void save(), whileTyping: true },
    Esc: { what: "leave; the text is kept", run: leave, whileTyping: true },
  });
  const folders = facets.data?.folders.filter(({ name }) => !name.startsWith("@")) ?? [];
  return (
    <Page
      title="New note"
      width="full"
      actions={
        <>
          <Button onClick={leave}>Close</Button>
          <Button
            kind="primary"
            hint={isMac() ? "⌘S" : "Ctrl S"}
            disabled={isRunning || title.trim() === ""}
            onClick={() => void save()}
          >
            Save
          </Button>
        </>
      }
    >
      <Editor
        text={text}
        preview={text}
        isFocused={query["title"] !== undefined}
        noteLink={(name) => newNoteAddress({ title: name })}
        change={change}
      >
        <div class="new-note flex wrap gap-3">
          <label class="new-note-title">
            Title
            <input
              ref={field}
              value={title}
              maxLength={1000}
              aria-invalid={failure !== undefined}
              onInput={({ currentTarget }) => setTitle(currentTarget.value)}
            />
          </label>
          <label>
            Folder
            <input
              value={folder}
              placeholder="none"
              list="note-folders"
              onInput={({ currentTarget }) => setFolder(currentTarget.value)}
            />
            <datalist id="note-folders">
              {folders.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </label>
          <label>
            For
            <select value={project} onChange={({ currentTarget }) => setProject(currentTarget.value)}>
              <option value="">this project</option>
              <option value="none">all projects</option>
            </select>
          </label>
          <FieldFailure failure={failure} />
        </div>
      </Editor>
    </Page>
  );
}
