import { Check, Copy as CopyIcon } from "lucide";
import { useState } from "preact/hooks";
import type { Continuing } from "../../api/session-page.ts";
import { api, sessionPath } from "../core/api.ts";
import { notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Copy } from "../parts/Copy.tsx";
import type { SessionKey } from "./Clipped.tsx";

/** How to go on: the host's own command, or a text that tells another agent what this session came to. */
export function GoOn({ host, id, resume }: SessionKey & { resume: string | null }) {
  return (
    <>
      <Handoff host={host} id={id} isOnly={resume === null} />
      {resume !== null && (
        <Copy text={resume} label="Copy command to resume">
          Resume
        </Copy>
      )}
    </>
  );
}

function Handoff({ host, id, isOnly }: SessionKey & { isOnly: boolean }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      const { handoff } = await api.get<Continuing>(sessionPath(host, id, "/continue"));
      if (handoff === null) throw new Error("nothing was said in this session");
      await navigator.clipboard.writeText(handoff);
      setDone(true);
      setTimeout(() => setDone(false), 2000);
    } catch (error) {
      notifyFailure("Could not copy the handoff", error);
    }
  };
  return (
    <Button
      kind={isOnly ? "plain" : "quiet"}
      icon={isDone ? Check : CopyIcon}
      aria-label={isDone ? "Copied" : "Copy handoff"}
      title="A text for a new session of any agent: what was asked, decided, done and left"
      onClick={() => void copy()}
    >
      <span aria-live="polite">{isDone ? "Copied" : "Handoff"}</span>
    </Button>
  );
}
