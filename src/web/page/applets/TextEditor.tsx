import { Empty } from "../parts/States.tsx";
import { OpenFile } from "../parts/text-editor/OpenFile.tsx";
import type { AppletProps } from "./applet.ts";

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
