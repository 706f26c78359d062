import type { WeekNumbers as Numbers, Weeks } from "../../api/overview.ts";
import { number } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { Failed } from "../parts/States.tsx";
import { trendOfWeek } from "./week-trend.ts";

/** What Continuo did in the last seven days, compared with the seven days before. */
export function WeekNumbers() {
  const weeks = useGet<Weeks>("/weeks", {}, ["given"]);
  return (
    <section aria-labelledby="home-week">
      <h2 id="home-week">Last 7 days</h2>
      {weeks.failure && <Failed failure={weeks.failure} retry={weeks.reload} />}
      <dl class="home-week line-top line-bottom pad-y-3">
        <div>
          <dt class="muted small">Rules given</dt>
          <Figure weeks={weeks.data} name="given" after={times} />
          <Figure weeks={weeks.data} name="broken" after={() => "broken"} isGoodDown />
          <Figure weeks={weeks.data} name="stopped" after={() => "of these stopped"} />
        </div>
        <div>
          <dt class="muted small">Sessions that went on with earlier work</dt>
          <Figure weeks={weeks.data} name="resumed" />
        </div>
        <div>
          <dt class="muted small">Tokens added</dt>
          <Figure weeks={weeks.data} name="tokens" />
        </div>
      </dl>
    </section>
  );
}

const TONES = { better: "good", worse: "warn" } as const;

/** A rule counts once for each session that got it, so there may be fewer distinct rules. */
const times = (figure: number) => (figure === 1 ? "time" : "times");

function Figure(props: {
  weeks: Weeks | undefined;
  name: keyof Numbers;
  after?(figure: number): string;
  isGoodDown?: boolean;
}) {
  const { weeks, name, after = () => "", isGoodDown = false } = props;
  if (weeks === undefined) return <dd class="muted">…</dd>;
  const trend = trendOfWeek(weeks, name, isGoodDown);
  return (
    <dd>
      <span class="numbers">{number(weeks.lastWeek[name])}</span>
      {` ${after(weeks.lastWeek[name])} `}
      <span class={`small ${trend.tone === undefined ? "muted" : TONES[trend.tone]}`}>{trend.words}</span>
    </dd>
  );
}
