import { useState } from "preact/hooks";
import type { FollowedRule, RuleRow, RulesReport } from "../../api/rules.ts";
import { count, number } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Loaded } from "../parts/States.tsx";
import { percent, trendOf } from "./trend.ts";

interface Props {
  /** The project's folder. */
  readonly project: string;
  readonly rules: readonly RuleRow[];
  /** Opens a rule in the list. */
  show(key: string): void;
}

const FIRST = 5;

/** How well the rules are followed, worst first. */
export function Followed({ project, rules, show }: Props) {
  const report = useGet<RulesReport>("/rules/report", { project }, ["rules", "given"]);
  return (
    <section class="rules-group stack gap-2 followed" aria-labelledby="followed-title">
      <h2 id="followed-title">How rules are followed</h2>
      <Loaded resource={report} lines={3}>
        {(data) => (
          <>
            {data.total === 0 ? (
              <NothingChecked days={data.days} rules={rules} />
            ) : (
              <Table data={data} show={show} />
            )}
            {data.neverApplied.length > 0 && <NeverApplied data={data} show={show} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function NothingChecked({ days, rules }: { days: number; rules: readonly RuleRow[] }) {
  const has = rules.some(({ checks }) => checks.length > 0);
  return (
    <p class="muted break">
      {has
        ? `In the last ${days} days no check had anything to look at.`
        : "No rule here has a check. A check finds out whether the agent follows the rule, and tells it if not."}
    </p>
  );
}

function Table({ data, show }: { data: RulesReport; show: Props["show"] }) {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? data.rules : data.rules.slice(0, FIRST);
  return (
    <>
      <p class="muted break">
        The last {data.days} days, {count(data.sessions, "session")}. Occasions: how often a check had
        something to look at.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <div class="scroll-x" tabIndex={0} role="region" aria-labelledby="followed-title">
        <table class="table numbers">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Occasions</th>
              <th scope="col">Broken</th>
              <th scope="col">Last 7 days</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <Row key={one.key} one={one} show={show} />
            ))}
          </tbody>
        </table>
      </div>
      {data.rules.length > rows.length && (
        <div>
          <Button kind="quiet" onClick={() => setWhole(true)}>
            Show {count(data.rules.length - rows.length, "more rule")}
          </Button>
        </div>
      )}
      {isWhole && data.total > data.rules.length && (
        <p class="muted break">
          The first {data.rules.length} of {count(data.total, "rule")}. All:{" "}
          <code>continuo rules report</code>
        </p>
      )}
    </>
  );
}

function Row({ one, show }: { one: FollowedRule; show: Props["show"] }) {
  const [words, tone] = trendOf(one);
  const notes = notesOf(one);
  return (
    <tr>
      <th scope="row">
        {one.exists ? (
          <button type="button" class="link" onClick={() => show(one.key)}>
            {one.name}
          </button>
        ) : (
          one.name
        )}{" "}
        {one.isAlwaysBroken && (
          <Badge tone="warn" title="A bad rule, or a bad check">
            always broken
          </Badge>
        )}
        {notes !== "" && <span class="followed-notes muted small">{notes}</span>}
      </th>
      <td>{number(one.occasions)}</td>
      <td>
        {number(one.broken)} <span class="muted">{percent(one.share)}</span>
      </td>
      <td>
        {words} {tone !== undefined && <Badge tone={tone === "better" ? "good" : "warn"}>{tone}</Badge>}
      </td>
    </tr>
  );
}

function notesOf(one: FollowedRule): string {
  return [
    ...(one.places > one.broken ? [count(one.places, "place")] : []),
    ...(one.afterReminder > 0 ? [`${number(one.afterReminder)} after a reminder`] : []),
    ...(one.afterCompaction > 0 ? [`${number(one.afterCompaction)} after a compaction`] : []),
    ...(one.refused > 0 ? [`${number(one.refused)} refused`] : []),
    ...(one.asked > 0 ? [`${number(one.asked)} asked`] : []),
    ...(one.exists ? [] : ["this rule no longer exists"]),
  ].join(", ");
}

function NeverApplied({ data, show }: { data: RulesReport; show: Props["show"] }) {
  const { neverApplied, totalNeverApplied } = data;
  return (
    <details class="muted">
      <summary class="pointer">
        {count(totalNeverApplied, "rule")} never applied in {count(data.sessions, "session")}
      </summary>
      <ul>
        {neverApplied.map(({ key, name }) => (
          <li key={key}>
            <button type="button" class="link" onClick={() => show(key)}>
              {name}
            </button>
          </li>
        ))}
        {totalNeverApplied > neverApplied.length && (
          <li>and {totalNeverApplied - neverApplied.length} more</li>
        )}
      </ul>
    </details>
  );
}
