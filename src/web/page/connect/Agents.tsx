import { useRef, useState } from "preact/hooks";
import type { ConnectAction, HostRow } from "../../api/connect.ts";
import { sentence } from "../core/format.ts";
import { Badge, HostName } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { InlineCode } from "../parts/InlineCode.tsx";
import { Edit } from "./Edit.tsx";

const STATES: Readonly<Record<HostRow["state"], readonly [string, "good" | "plain" | "bad"]>> = {
  connected: ["connected", "good"],
  problem: ["problem", "bad"],
  off: ["not connected", "plain"],
  absent: ["not found", "plain"],
};

/** Agents on this machine first; the others in one line. */
export function Agents({ hosts, reload }: { hosts: readonly HostRow[]; reload: () => void }) {
  const here = hosts.filter(({ state }) => state !== "absent");
  // One agent is enough to begin with.
  const next = here.some(({ state }) => state === "connected")
    ? undefined
    : here.find(({ state }) => state === "off");
  const absent = hosts.filter(({ state }) => state === "absent");
  return (
    <section class="stack gap-3" aria-labelledby="connect-agents">
      <h2 id="connect-agents">Agents on this machine</h2>
      {here.length === 0 && <p class="muted break">None was found. Install one, then reload this page.</p>}
      <ul class="line-top">
        {here.map((row) => (
          <Agent key={row.host} row={row} isNext={row === next} reload={reload} />
        ))}
      </ul>
      {absent.length > 0 && (
        <p class="muted break">
          Not found: {absent.map(({ label }) => label).join(", ")}. An agent is found by its settings folder,
          or by its program on the PATH outside of projects.
        </p>
      )}
    </section>
  );
}

function Agent({ row, isNext, reload }: { row: HostRow; isNext: boolean; reload: () => void }) {
  const [action, setAction] = useState<ConnectAction | undefined>();
  const [word, tone] = STATES[row.state];
  const isOn = row.state === "connected" || row.state === "problem";
  const item = useRef<HTMLLIElement>(null);
  const close = () => {
    setAction(undefined);
    item.current?.focus({ preventScroll: true }); // the edit's buttons disappear
  };
  return (
    <li class="stack gap-2 line-bottom pad-y-3" ref={item} tabIndex={-1}>
      <div class="min-28 row wrap between gap-2-4">
        <div class="agent-name row gap-3">
          <HostName host={row.host} />
          <Badge tone={tone}>{word}</Badge>
        </div>
        {action === undefined && (
          <div class="flex wrap gap-2">
            {row.state === "problem" && (
              <Button kind="primary" onClick={() => setAction("connect")}>
                Repair…
              </Button>
            )}
            {row.state === "connected" && row.mend !== "" && (
              <Button onClick={() => setAction("connect")}>Update…</Button>
            )}
            {isOn ? (
              <Button kind="quiet" onClick={() => setAction("disconnect")}>
                Disconnect…
              </Button>
            ) : (
              <Button kind={isNext ? "primary" : "plain"} onClick={() => setAction("connect")}>
                Connect…
              </Button>
            )}
          </div>
        )}
      </div>
      {isOn && row.detail !== "" && (
        <p class="muted break">
          <InlineCode text={`${sentence(row.detail)}.`} />
        </p>
      )}
      {row.mend !== "" && action === undefined && <p class="muted break">To fix: {row.mend}</p>}
      {row.files.length > 0 && action === undefined && (
        <p class="agent-files flex wrap">
          {row.files.map((file) => (
            <code key={file}>{file}</code>
          ))}
        </p>
      )}
      {action !== undefined && <Edit host={row.host} action={action} close={close} reload={reload} />}
    </li>
  );
}
