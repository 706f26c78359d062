import { useState } from "preact/hooks";
import type { RefusedRule, RuleRow, RulesList, TryAnswer } from "../../api/rules.ts";
import { count } from "../core/format.ts";
import { Badge } from "../parts/Badge.tsx";
import { RuleEntry } from "./RuleEntry.tsx";

const WHY: Readonly<Record<RefusedRule["why"], string>> = {
  refused: "refused",
  duplicate: "duplicate",
  pending: "not read yet",
};

/** With more rules a filter is shown. */
const MANY = 12;

/** Rules grouped by what they do in a new session. */
export function RuleGroups(props: {
  list: RulesList;
  open?: string | undefined;
  /** Rules that apply in the current try are not listed as waiting. */
  tried?: TryAnswer | undefined;
  onSaved: () => void;
}) {
  const { list, open } = props;
  const applied = new Set(props.tried?.rules.map(({ key }) => key));
  const [filter, setFilter] = useState("");
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const isShown = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const rules = list.rules.filter((one) => isShown(`${one.name} ${one.path} ${one.condition}`));
  const refused = list.refused.filter((one) => isShown(`${one.path} ${one.message}`));
  const of = (...states: RuleRow["state"][]) => rules.filter(({ state }) => states.includes(state));
  const all = { open, list, onSaved: props.onSaved };
  return (
    <>
      {list.total + list.refused.length > MANY && (
        <input
          type="search"
          class="full"
          aria-label="Filter rules"
          placeholder="Filter rules"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      )}
      <Group
        {...all}
        title="Active"
        about="Given to every new session of this project."
        rules={of("active")}
      />
      <Group
        {...all}
        title="Waiting"
        about="Given when the condition is met; a rule on request is named to the agent, which can read it."
        rules={of("waiting", "on-request", "manual").filter(({ key }) => !applied.has(key))}
      />
      <Group {...all} title="Not given" rules={of("left-out", "muted")} refused={refused} />
      {list.total > list.rules.length && (
        <p class="muted break">
          The first {list.rules.length} of {count(list.total, "rule")}. All: <code>continuo rules list</code>
        </p>
      )}
    </>
  );
}

function Group(props: {
  title: string;
  about?: string;
  rules: readonly RuleRow[];
  refused?: readonly RefusedRule[];
  open: string | undefined;
  list: RulesList;
  onSaved: () => void;
}) {
  const { title, about, rules, refused = [], open, list, onSaved } = props;
  if (rules.length + refused.length === 0) return null;
  return (
    <section class="rules-group stack gap-2">
      <h2>
        {title} <span class="count">{rules.length + refused.length}</span>
      </h2>
      {about && <p class="muted break">{about}</p>}
      <ul class="rows">
        {rules.map((rule) => (
          <RuleEntry key={rule.key} rule={rule} list={list} isOpen={rule.key === open} onSaved={onSaved} />
        ))}
        {refused.map((one) => (
          <li key={`${one.why} ${one.path}`} class="row wrap gap-1-2 pad-y-2">
            <Badge tone={one.why === "refused" ? "bad" : "plain"}>{WHY[one.why]}</Badge>
            <code class="break">{one.path}</code>
            <span class="muted break">{one.message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
