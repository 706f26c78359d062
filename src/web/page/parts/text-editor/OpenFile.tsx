import type { FileMissing, FileView } from "../../../api/files.ts";
import { readDraft } from "../../core/drafts.ts";
import { useGet, useReturn } from "../../core/resource.ts";
import { Empty, Loaded } from "../States.tsx";
import { type Beside, Editor } from "./Editor.tsx";

interface Props {
  readonly path: string;
  readonly session?: { readonly host: string; readonly id: string } | undefined;
  readonly line: number;
  readonly beside?: Beside;
  onSaved?(): void;
}

/** A file to read and edit, kept up to date with the disk. */
export function OpenFile({ path, session, line, beside, onSaved }: Props) {
  const of = session === undefined ? undefined : `${session.host}/${session.id}`;
  const file = useGet<FileView>(
    "/files",
    { path, session: of },
    (event) => event.type === "disk" && event.path === path,
  );
  // Changes on a disk that cannot be watched are not reported.
  useReturn(file.reload);
  const isGone = file.failure?.code === "no-such-file";
  const before = isGone ? (file.data ?? withDraft(file.failure?.body)) : undefined;
  return (
    <Loaded resource={before === undefined ? file : { ...file, data: before, failure: undefined }} lines={12}>
      {(data) =>
        data.kind === "binary" ? (
          <Empty title={data.name}>
            <p>This file is not UTF-8 text, so it is not shown.</p>
          </Empty>
        ) : (
          <Editor
            file={data}
            line={line}
            isGone={isGone}
            onSaved={(saved) => {
              file.set(saved);
              onSaved?.();
            }}
            reload={file.reload}
            beside={beside}
          />
        )
      }
    </Loaded>
  );
}

/** A deleted file with unsaved changes in this page. */
function withDraft(answer: unknown): FileView | undefined {
  const { path } = answer as Partial<FileMissing>;
  if (path === undefined || readDraft(path) === undefined) return undefined;
  const [, root = "", name = ""] = /^(.*)[\\/]([^\\/]+)$/.exec(path) ?? [];
  return {
    ...{ path, name, root, kind: "text", text: "", size: 0, modified: 0 },
    ...{ isCut: false, hasByteOrderMark: false, lineEnd: "lf" },
  };
}
