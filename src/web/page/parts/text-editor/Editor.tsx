import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FileView, SavedFile } from "../../../api/files.ts";
import { ApiFailure, api } from "../../core/api.ts";
import { type Draft, dropDraft, keepDraft, readDraft } from "../../core/drafts.ts";
import { bytes } from "../../core/format.ts";
import { modKey, useKeys } from "../../core/keys.ts";
import { notify, notifyFailure } from "../../core/notices.ts";
import { Badge } from "../Badge.tsx";
import { Button } from "../Button.tsx";
import { Confirm } from "../Confirm.tsx";
import { Conflict } from "../conflict/Conflict.tsx";
import { Time } from "../Time.tsx";
import { FileText } from "./FileText.tsx";
import { MOST_TO_EDIT } from "./file-parts.ts";

interface Props {
  readonly file: FileView;
  readonly line: number;
  /** Whether it was deleted from the disk; `file` is its last content. */
  readonly isGone: boolean;
  onSaved(file: FileView): void;
  reload(): void;
  /** What is shown beside it; it gets the text as it is typed, and can replace it. */
  readonly beside?: Beside | undefined;
}

export type Beside = (text: string, replace: (text: string) => void) => ComponentChildren;

const TOO_LARGE = "it is too large for a field of a page; use your editor";

/** Text fields have only one kind of line end. */
const inField = (text: string) => text.replaceAll("\r\n", "\n");

/** A new file gets the line ends and the byte order mark of the deleted one. */
const asOnDisk = (text: string, { lineEnd, hasByteOrderMark }: FileView) =>
  (hasByteOrderMark ? "\ufeff" : "") + (lineEnd === "crlf" ? text.replaceAll("\n", "\r\n") : text);

/** One file: shown with colours, or in a field to edit it. */
export function Editor({ file, line, isGone, onSaved, reload, beside }: Props) {
  const [draft, setDraft] = useState<Draft | undefined>(() => readDraft(file.path));
  const typed = useRef(draft);
  const [isEditing, setEditing] = useState(draft !== undefined);
  const [isSaving, setSaving] = useState(false);
  const isDirty = draft !== undefined && draft.text !== inField(file.text);
  // While it is being saved, new content on the disk is this text.
  const isOvertaken = isDirty && !isSaving && draft.checksum !== file.checksum;

  const readOnly = file.readOnly ?? (file.text.length > MOST_TO_EDIT ? TOO_LARGE : undefined);

  const change = (next: Draft | undefined) => {
    if (next !== undefined) keepDraft(file.path, next);
    else if (typed.current !== undefined) dropDraft(file.path, typed.current.text);
    typed.current = next;
    setDraft(next);
  };
  const type = (text: string) => {
    const checksum = isDirty ? draft.checksum : (file.checksum ?? "");
    // Changes that were undone by hand are not changes: the editor follows the disk again.
    const isBack = checksum === file.checksum && text === inField(file.text) && !isSaving;
    change(isBack ? undefined : { text, checksum });
  };
  /** Without a checksum, as a new file. */
  const save = async (text: string, checksum?: string) => {
    if (isSaving) return;
    setSaving(true);
    try {
      const saved = await api.put<SavedFile>("/files", {
        path: file.path,
        ...(checksum === undefined ? { text: asOnDisk(text, file) } : { text, checksum }),
      });
      // Text typed while it was being saved stays a change.
      const { current } = typed;
      const isSame = current === undefined || current.text === text;
      change(isSame ? undefined : { text: current.text, checksum: saved.checksum });
      onSaved({ ...file, ...saved, text });
      if (checksum === undefined) reload();
      notify(`Saved ${file.name}`);
    } catch (error) {
      if (error instanceof ApiFailure && error.code === "file-changed") reload();
      else notifyFailure(`${file.name} was not saved`, error);
    } finally {
      setSaving(false);
    }
  };
  const saveDraft = () => {
    if (isGone) void save(draft?.text ?? inField(file.text));
    else if (isDirty && !isOvertaken) void save(draft.text, draft.checksum);
  };
  const stop = () => {
    change(undefined);
    setEditing(false);
  };
  // "Edit" means that the user wants to type now. A restored draft does not take the focus.
  const field = useRef<HTMLTextAreaElement>(null);
  const wasEditing = useRef(isEditing);
  // Before the next key arrives: with an ordinary effect, a fast typist's first letters are lost.
  useLayoutEffect(() => {
    if (isEditing && !wasEditing.current) {
      field.current?.focus();
      field.current?.setSelectionRange(0, 0);
    }
    wasEditing.current = isEditing;
  }, [isEditing]);
  useKeys({ "Mod+s": { what: "save the file", whileTyping: true, run: saveDraft } });

  return (
    <>
      <p class="editor-path row gap-2" title={file.path}>
        <span class="clip">{nameInRoot(file)}</span>
        {isDirty && <Badge tone="accent">not saved</Badge>}
        {isGone && <Badge tone="bad">deleted</Badge>}
      </p>
      <div class="row wrap gap-2 min-28">
        {isEditing ? (
          <>
            <Button
              kind="primary"
              hint={`${modKey()} S`}
              disabled={isSaving || (!isGone && (!isDirty || isOvertaken))}
              onClick={saveDraft}
            >
              {isGone ? "Save as a new file" : "Save"}
            </Button>
            {isDirty ? (
              <Confirm
                kind="quiet"
                label="Cancel"
                question="Discard your changes?"
                yes="Discard"
                run={stop}
              />
            ) : (
              <Button kind="quiet" onClick={stop}>
                Done
              </Button>
            )}
          </>
        ) : (
          readOnly === undefined && (
            <Button onClick={isGone ? saveDraft : () => setEditing(true)}>
              {isGone ? "Save as a new file" : "Edit"}
            </Button>
          )
        )}
        <span class="editor-facts muted small">
          {isGone ? "not on the disk" : bytes(file.size)}
          {!isGone && " · "}
          {!isGone && <Time at={file.modified} />}
        </span>
      </div>
      {readOnly !== undefined && <p class="muted small">Read-only: {readOnly}.</p>}
      {isGone && (
        <p class="muted small" role="alert">
          {file.name} was deleted. This is {isDirty ? "your text" : "the text that it had"}.
        </p>
      )}
      {isOvertaken && !isGone && (
        <Conflict
          what={`${file.name} changed on the disk`}
          name={file.name}
          theirs={inField(file.text)}
          mine={draft.text}
          keepMine={() => void save(draft.text, file.checksum ?? "")}
          takeTheirs={stop}
        />
      )}
      {isEditing ? (
        <textarea
          ref={field}
          class="editor-text full pad-3"
          aria-label={`Text of ${file.name}`}
          spellcheck={false}
          wrap="off"
          value={draft?.text ?? inField(file.text)}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      ) : (
        <FileText file={file} line={line} />
      )}
      {beside?.(draft?.text ?? inField(file.text), (text) => {
        type(text);
        setEditing(true);
      })}
    </>
  );
}

function nameInRoot({ path, root }: FileView): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
