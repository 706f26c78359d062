import type { InboxList } from "../../api/suggestions.ts";
import { useQuery } from "../core/address.ts";
import { useGet } from "../core/resource.ts";
import { Page } from "../parts/Page.tsx";
import { Loaded } from "../parts/States.tsx";
import { panelId, Tabs } from "../parts/Tabs.tsx";
import { Decided, Learned, Rejected } from "./Lists.tsx";
import { Pending } from "./Pending.tsx";

/** What should the agent learn? Shows suggestions one at a time, with the words that they come from. */
export default function InboxPlace() {
  const { query, set } = useQuery();
  const list = useGet<InboxList>("/inbox", {}, ["inbox"]);
  const counts = list.data?.counts;
  const tabs = [
    { id: "pending", label: "Pending", ...count(counts?.pending) },
    { id: "decided", label: "Decided", ...count(counts?.decided) },
    { id: "rejected", label: "Rejected", ...count(counts?.rejected) },
    { id: "learned", label: "Learnings", ...count(counts?.learned) },
  ];
  const chosen = tabs.find(({ id }) => id === query["tab"])?.id ?? "pending";
  const choose = (id: string) => set({ tab: id === "pending" ? undefined : id });
  return (
    <Page
      title="Suggestions"
      width="reading"
      bar={<Tabs name="inbox" tabs={tabs} chosen={chosen} choose={choose} />}
    >
      <div id={panelId("inbox")} role="tabpanel" aria-labelledby={`inbox-tab-${chosen}`} class="pad-top-4">
        {chosen === "pending" && (
          <Loaded resource={list}>{(data) => <Pending list={data} reload={list.reload} />}</Loaded>
        )}
        {chosen === "decided" && <Decided />}
        {chosen === "rejected" && <Rejected />}
        {chosen === "learned" && <Learned />}
      </div>
    </Page>
  );
}

function count(n: number | undefined): { count?: number } {
  return n === undefined || n === 0 ? {} : { count: n };
}
