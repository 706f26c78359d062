import type { Continuing } from "../../api/session-page.ts";
import type { SessionKey } from "../conversation/Clipped.tsx";
import { api, sessionPath } from "../core/api.ts";
import { Copy } from "../parts/Copy.tsx";

/** How to continue: the host's own command, or a text that tells another agent the session's result. */
export function GoOn({ host, id, resume }: SessionKey & { resume: string | null }) {
  const handoffOf = async () => {
    const { handoff } = await api.get<Continuing>(sessionPath(host, id, "/continue"));
    if (handoff === null) throw new Error("nothing was said in this session");
    return handoff;
  };
  return (
    <>
      <Copy
        kind={resume === null ? "plain" : "quiet"}
        text={handoffOf}
        label="Copy handoff"
        title="A text for a new session of any agent: what was asked, decided, done and left"
      >
        Handoff
      </Copy>
      {resume !== null && (
        <Copy text={resume} label="Copy command to resume">
          Resume
        </Copy>
      )}
    </>
  );
}
