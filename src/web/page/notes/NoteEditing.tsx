import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { NoteAnswer, NoteChanged, NoteConflict } from "../../api/notes.ts";
import { noteAddress } from "../core/address.ts";
import { ApiFailure, api } from "../core/api.ts";
import { dropDraft, keepDraft, readDraft } from "../core/drafts.ts";
import { useKeys } from "../core/keys.ts";
import { notify, notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Conflict } from "../parts/conflict/Conflict.tsx";
import { Page } from "../parts/Page.tsx";
import { notePath, shortUri } from "./addresses.ts";
import { Editor } from "./Editor.tsx";
import { linksOf } from "./links.ts";

interface Props {
  readonly note: NoteAnswer;
  /** Whether it was deleted meanwhile. */
  readonly isGone: boolean;
  set(note: NoteAnswer): void;
}

interface Version {
  readonly text: string;
  readonly checksum: string;
}

/**
 * The editor of a note. Unsaved text is kept; what another program saved meanwhile is never overwritten without asking.
 */
export function NoteEditing({ note, isGone, set }: Props) {
  const { route } = useLocation();
  const draft = useRef(readDraft(note.uri));
  const [text, setText] = useState(draft.current?.text ?? note.text);
  /** The version that the text is based on. */
  const [base, setBase] = useState<Version>({
    text: note.text,
    checksum: draft.current?.checksum ?? note.checksum,
  });
  const [isSaving, setSaving] = useState(false);
  const [refused, setRefused] = useState<Version | undefined>();
  const [isKept, setKept] = useState(true);
  const isChanged = text !== base.text || base.checksum !== note.checksum;

  // Another program saved the note, and nothing was changed here: show the new text.
  useEffect(() => {
    if (note.checksum === base.checksum || text !== base.text) return;
    setBase({ text: note.text, checksum: note.checksum });
    setText(note.text);
  }, [note.checksum]);
  const conflict = refused ?? (note.checksum !== base.checksum && !isGone && !isSaving ? note : undefined);

  const change = (next: string) => {
    setText(next);
    if (next === base.text && base.checksum === note.checksum) dropDraft(note.uri, text);
    else setKept(keepDraft(note.uri, { text: next, checksum: base.checksum }));
  };
  const save = async (over: Version = base, chosen = text) => {
    if (isSaving) return;
    setSaving(true);
    try {
      const saved = await api.put<NoteChanged>(notePath(note.uri), { text: chosen, checksum: over.checksum });
      const now = { text: saved.text ?? chosen, checksum: saved.checksum ?? "" };
      dropDraft(note.uri, chosen);
      setRefused(undefined);
      setBase(now);
      // Saving sets the time in the frontmatter; text typed meanwhile stays.
      setText((typed) => (typed === chosen || typed === text ? now.text : typed));
      set({ ...note, ...now });
      notify("Saved");
    } catch (error) {
      if (error instanceof ApiFailure && error.code === "note-changed") {
        setRefused((error.body as NoteConflict).current);
      } else notifyFailure("Could not save", error);
    } finally {
      setSaving(false);
    }
  };
  const close = () => route(noteAddress(note.uri), true);
  const discard = () => {
    dropDraft(note.uri, text);
    close();
  };
  useKeys({
    "Mod+s": { what: "save the note", run: () => void save(), whileTyping: true },
    Esc: { what: "leave the editor; unsaved changes are kept", run: close, whileTyping: true },
  });
  const noteLink = useMemo(() => linksOf(note.links), [JSON.stringify(note.links)]);
  const preview = useMemo(() => withoutFrontmatter(text), [text]);
  return (
    <Page
      title={`Edit ${note.title}`}
      width="full"
      heading={<h1 class="clip">{note.title}</h1>}
      bar={
        <div class="row wrap gap-1-3 muted small pad-top-1">
          <span class="note-uri">{shortUri(note.uri)}</span>
          <span role="status">{stateOf(isChanged, isKept, isGone)}</span>
        </div>
      }
      actions={
        <>
          {isChanged && (
            <Button kind="quiet" onClick={discard}>
              Discard
            </Button>
          )}
          <Button onClick={close}>Close</Button>
          <Button
            kind="primary"
            hint={isMac() ? "⌘S" : "Ctrl S"}
            disabled={isSaving || !isChanged || isGone || conflict !== undefined}
            onClick={() => void save()}
          >
            Save
          </Button>
        </>
      }
    >
      <Editor text={text} preview={preview} noteLink={noteLink} change={change}>
        {isGone && (
          <p class="memory-notice warn break rounded" role="alert">
            This note was deleted or moved. Your text is kept here: copy it, or write a new note with it.
          </p>
        )}
        {conflict && (
          <Conflict
            what="This note was changed elsewhere"
            name={note.title}
            mine={text}
            theirs={conflict.text}
            keepMine={() => void save(conflict)}
            takeTheirs={() => {
              dropDraft(note.uri, text);
              setRefused(undefined);
              setBase({ text: conflict.text, checksum: conflict.checksum });
              setText(conflict.text);
              set({ ...note, text: conflict.text, checksum: conflict.checksum });
            }}
          />
        )}
      </Editor>
    </Page>
  );
}

function stateOf(isChanged: boolean, isKept: boolean, isGone: boolean): string {
  if (isGone) return "Deleted";
  if (!isChanged) return "No unsaved changes";
  return isKept ? "Unsaved changes" : "Unsaved changes. Too large to survive a reload";
}

function withoutFrontmatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, "");
}

export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}
