import { useState } from "preact/hooks";
import type { GivenDay, GivenDays } from "../../api/given.ts";
import { count, duration, number } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { Figure } from "../parts/Facts.tsx";
import { Page } from "../parts/Page.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { panelId, Tabs } from "../parts/Tabs.tsx";
import { Bars, dayLabel } from "./Bars.tsx";
import { MuteList } from "./Mute.tsx";
import { share } from "./words.ts";

/** What Continuo added to all sessions, by day, and its cost. */
export default function DaysPlace() {
  const resource = useGet<GivenDays>("/given/days", { days: 30 }, ["given"]);
  return (
    <Page title="Added">
      <p class="muted given-intro pad-bottom-4">
        <span>
          What Continuo added to your sessions in the last 30 days, and what it cost. Each session has the
          details under its tab <em>Added</em>.
        </span>
      </p>
      <Loaded resource={resource}>{(data) => <Month data={data} />}</Loaded>
      <MuteList />
    </Page>
  );
}

interface Measure {
  readonly id: string;
  readonly label: string;
  value(day: GivenDay): number;
  text(day: GivenDay): string;
}

const MEASURES: readonly Measure[] = [
  {
    id: "tokens",
    label: "Tokens added",
    value: (day) => day.tokens,
    text: (day) => count(day.tokens, "token"),
  },
  {
    id: "cache",
    label: "Cache kept",
    value: ({ cache }) => (cache === undefined || cache.input === 0 ? 0 : cache.cached / cache.input),
    text: ({ cache }) =>
      cache === undefined ? "not recorded" : `${share(cache)} of the input came from cache`,
  },
  {
    id: "calls",
    label: "Model calls",
    value: (day) => day.modelCalls,
    text: (day) => count(day.modelCalls, "model call"),
  },
  { id: "time", label: "Time added", value: (day) => day.ms, text: (day) => duration(day.ms) },
];

function Month({ data: { days, measured } }: { data: GivenDays }) {
  const [id, choose] = useState("tokens");
  const measure = MEASURES.find((one) => one.id === id) ?? MEASURES[0];
  const busy = days.filter(isBusy).reverse();
  if (busy.length === 0 || measure === undefined)
    return (
      <Empty title="Nothing was added in the last 30 days" command="continuo start">
        <p>
          Rules of a project, notes about it, past sessions and learnings are given to agents that Continuo is
          connected to. The command shows what the next session here would get.
        </p>
      </Empty>
    );
  return (
    <>
      <Totals days={days} measured={measured} />
      <Tabs name="measure" tabs={MEASURES} chosen={id} choose={choose} />
      <div id={panelId("measure")} role="tabpanel" aria-labelledby={`measure-tab-${id}`}>
        <Bars
          days={days}
          value={measure.value}
          text={measure.text}
          label={`${measure.label} on each of the last 30 days`}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a narrow screen, also without a mouse */}
      <section class="scroll-x" aria-label="Each day" tabIndex={0}>
        <table class="table days numbers nowrap">
          <caption class="unseen">Each day on which something was added</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Sessions</th>
              <th scope="col">Tokens</th>
              <th scope="col">Starts</th>
              <th scope="col">Additions</th>
              <th scope="col">Compactions</th>
              <th scope="col">Cached input</th>
              <th scope="col">Model calls</th>
              <th scope="col">Time added</th>
            </tr>
          </thead>
          <tbody>
            {busy.map((one) => (
              <DayRow key={one.day} day={one} />
            ))}
          </tbody>
        </table>
      </section>
      <p class="muted small given-foot pad-y-3">
        <span>
          Cached input: what the provider read from its cache, as transcripts say ({measured.sessions} of{" "}
          {count(measured.of, "session")} record it). Time added: how long agents waited for Continuo; hook
          processes that had nothing to add are not counted.
        </span>
      </p>
    </>
  );
}

const isBusy = (day: GivenDay) =>
  day.tokens + day.replays + day.compactions + day.modelCalls + day.moments > 0;

function DayRow({ day }: { day: GivenDay }) {
  return (
    <tr>
      <th scope="row">{dayLabel(day.day)}</th>
      <td>{number(day.sessions)}</td>
      <td>{number(day.tokens)}</td>
      <td>{number(Math.max(0, day.snapshots - day.compactions))}</td>
      <td>{number(day.additions)}</td>
      <td>{number(day.compactions)}</td>
      <td>{day.cache ? share(day.cache) : <span title="not recorded by these agents">–</span>}</td>
      <td>{number(day.modelCalls)}</td>
      <td>{day.moments === 0 ? "–" : duration(day.ms)}</td>
    </tr>
  );
}

function Totals({ days, measured }: GivenDays) {
  const sum = (value: (day: GivenDay) => number) => days.reduce((all, day) => all + value(day), 0);
  const input = sum(({ cache }) => cache?.input ?? 0);
  const cached = sum(({ cache }) => cache?.cached ?? 0);
  const calls = sum(({ modelCalls }) => modelCalls);
  const moments = sum((day) => day.moments);
  return (
    <dl class="figures">
      <Figure name="Tokens added" value={number(sum(({ tokens }) => tokens))}>
        {count(measured.of, "session")}
      </Figure>
      <Figure name="Cache kept" value={input === 0 ? "–" : share({ input, cached })}>
        {input === 0 ? "not recorded by these agents" : "of the model's input came from cache"}
      </Figure>
      <Figure name="Model calls" value={number(calls)}>
        {calls === 0 ? "none unless you configure a model" : "to models that you configured"}
      </Figure>
      <Figure name="Time added" value={moments === 0 ? "–" : duration(sum(({ ms }) => ms))}>
        {moments === 0 ? "not measured yet" : `in ${count(moments, "event")}`}
      </Figure>
    </dl>
  );
}
