import type { FileView } from "../../../api/files.ts";
import { api } from "../../core/api.ts";
import { useResource } from "../../core/resource.ts";
import { Empty, Loaded } from "../../parts/States.tsx";
import type { AppletProps } from "../applet.ts";
import { useReturn } from "../use-return.ts";
import { Editor } from "./Editor.tsx";

/** The applet `text-editor`: shows a file of a project and edits it. */
export default function TextEditor({ session, parameters }: AppletProps) {
  const path = parameters["path"] ?? "";
  if (path === "")
    return (
      <Empty title="No file is chosen">
        <p>Choose a file in the session's context card, or at an edit in the conversation.</p>
      </Empty>
    );
  return <OpenFile key={path} path={path} session={session} line={Number(parameters["line"] ?? "")} />;
}

function OpenFile({ path, session, line }: { path: string; session: AppletProps["session"]; line: number }) {
  const of = session === undefined ? undefined : `${session.host}/${session.id}`;
  const file = useResource(
    `file ${path}`,
    (signal) => api.get<FileView>("/files", { path, session: of }, signal),
    { on: (event) => event.type === "disk" && event.path === path },
  );
  // Of a disk that is not followed, nobody says what changed.
  useReturn(file.reload);
  const isGone = file.data !== undefined && file.failure?.code === "no-such-file";
  return (
    <Loaded resource={isGone ? { ...file, failure: undefined } : file} lines={12}>
      {(data) =>
        data.kind === "binary" ? (
          <Empty title={data.name}>
            <p>This file is not UTF-8 text, so it is not shown.</p>
          </Empty>
        ) : (
          <Editor file={data} line={line} isGone={isGone} onSaved={file.set} reload={file.reload} />
        )
      }
    </Loaded>
  );
}
