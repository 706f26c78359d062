import { useRoute } from "preact-iso";
import type { SessionDetails } from "../../api/sessions.ts";
import { SessionSide } from "../applets/SessionSide.tsx";
import { ChatBox } from "../chat/ChatBox.tsx";
import { useQuery } from "../core/address.ts";
import { isAbout, sessionPath } from "../core/api.ts";
import { useKeys } from "../core/keys.ts";
import { useGet } from "../core/resource.ts";
import { Given } from "../given/Given.tsx";
import { Page } from "../parts/Page.tsx";
import { Failed } from "../parts/States.tsx";
import { panelId, Tabs } from "../parts/Tabs.tsx";
import { Conversation } from "./Conversation.tsx";
import { GoOn } from "./GoOn.tsx";
import { LineageLine } from "./LineageLine.tsx";
import { MarkBar, useOutline } from "./MarkBar.tsx";
import { RecordTab } from "./RecordTab.tsx";
import { SessionFacts, SessionName } from "./SessionHead.tsx";

const TABS = [
  { id: "conversation", label: "Conversation" },
  { id: "given", label: "Added" },
  { id: "record", label: "Summary" },
] as const;

export default function SessionPlace() {
  const { params } = useRoute();
  const host = params["host"] ?? "";
  const id = params["id"] ?? "";
  // Another session gets a new page: no state of the previous one stays.
  return <SessionPage key={`${host} ${id}`} host={host} id={id} />;
}

/** Also at `/?session=HOST/ID&applet=SLUG`. */
export function SessionPage({ host, id }: { host: string; id: string }) {
  const { query, set } = useQuery();
  const tab = TABS.find((one) => one.id === query["tab"])?.id ?? "conversation";
  const choose = (next: string) => set({ tab: next === "conversation" ? undefined : next });
  const details = useGet<SessionDetails>(sessionPath(host, id), {}, isAbout({ host, id }));
  useKeys({
    "1": { what: "the conversation", run: () => choose("conversation") },
    "2": { what: "what Continuo added to the session", run: () => choose("given") },
    "3": { what: "the summary", run: () => choose("record") },
  });
  const { data, failure } = details;
  const outline = useOutline({ host, id });
  const name =
    data?.name || data?.currentIntent || nameUntilThen(id, data !== undefined, failure !== undefined);
  return (
    <Page
      title={name}
      width="full"
      heading={
        <SessionName
          session={{ host, id }}
          name={name}
          renamed={(next) => data && details.set({ ...data, name: next })}
        />
      }
      actions={data && <GoOn host={host} id={id} resume={data.resume ?? null} />}
      bar={
        <div>
          {data ? <SessionFacts details={data} /> : <p class="session-about row wrap muted">{"\u00a0"}</p>}
          <LineageLine host={host} id={id} />
          <Tabs name="session" tabs={TABS} chosen={tab} choose={choose} />
        </div>
      }
      side={<SessionSide host={host} id={id} />}
      sideOpen={query["applet"] !== undefined}
      sideLabel="Context"
    >
      <div class="session-body relative flex">
        <div
          class={`session-scroll grow narrow scroll ${tab === "conversation" ? "session-talk" : ""}`}
          role="tabpanel"
          id={panelId("session")}
          aria-labelledby={`session-tab-${tab}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable with the keyboard
          tabIndex={0}
        >
          <div class="session-column">
            {failure && data === undefined && tab !== "conversation" && (
              <Failed failure={failure} retry={details.reload} />
            )}
            {tab === "conversation" && (
              <ChatBox host={host} id={id}>
                <Conversation host={host} id={id} outline={outline} />
              </ChatBox>
            )}
            {tab === "given" && <Given host={host} id={id} />}
            {tab === "record" && <RecordTab host={host} id={id} />}
          </div>
        </div>
        {tab === "conversation" && outline && <MarkBar outline={outline} />}
      </div>
    </Page>
  );
}

/** Empty while the name is loading: showing the id first would make the heading jump. */
function nameUntilThen(id: string, isLoaded: boolean, isFailed: boolean): string {
  if (isFailed) return id;
  return isLoaded ? `Session ${id.slice(0, 8)}` : "\u00a0";
}
