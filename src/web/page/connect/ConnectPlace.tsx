import type { ConnectList } from "../../api/connect.ts";
import { useGet } from "../core/resource.ts";
import { Page } from "../parts/Page.tsx";
import { Loaded } from "../parts/States.tsx";
import { Agents } from "./Agents.tsx";
import { Import } from "./Import.tsx";
import { Kinds } from "./Kinds.tsx";
import { TryIt } from "./TryIt.tsx";

/** Which agents are here, and which of them call Continuo. */
export default function ConnectPlace() {
  return (
    <Page title="Connect" width="reading">
      <Connect />
    </Page>
  );
}

/** Also the beginning of the first page while nothing is connected. */
export function Connect() {
  const list = useGet<ConnectList>("/connect", {}, ["connect", "import"]);
  return (
    <Loaded resource={list}>
      {({ hosts, sessions }) => (
        <div class="connect stack gap-8">
          <p class="muted reading-type">
            Continuo gives your agents your rules, notes and past sessions. It does so by a few entries in an
            agent's settings: you see the exact edit before it is made.
          </p>
          <Agents hosts={hosts} reload={list.reload} />
          <Import state={sessions} reload={list.reload} />
          {hosts.some(({ state }) => state === "connected") && <TryIt />}
          <Kinds />
        </div>
      )}
    </Loaded>
  );
}
