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

/** With this many rules a filter helps. */
const MANY = 12;

/** Rules by what they do in a new session. */
export function RuleGroups(props: {
  list: RulesList;
  open?: string | undefined;
  /** Rules that apply in what is tried do not wait there. */
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
  const out = of("left-out", "muted");
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
        title="Active"
        about="Given to every new session of this project."
        rules={of("active")}
        open={open}
        list={list}
        onSaved={props.onSaved}
      />
      <Group
        title="Waiting"
        about="Given when the condition is met; a rule on request is named to the agent, which can read it."
        rules={of("waiting", "on-request", "manual").filter(({ key }) => !applied.has(key))}
        open={open}
        list={list}
        onSaved={props.onSaved}
      />
      {out.length + refused.length > 0 && (
        <section class="rules-group stack gap-2">
          <h2>
            Not given <span class="count">{out.length + refused.length}</span>
          </h2>
          <ul class="rows">
            {out.map((rule) => (
              <RuleEntry
                key={rule.key}
                rule={rule}
                list={list}
                isOpen={rule.key === open}
                onSaved={props.onSaved}
              />
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
      )}
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
  about: string;
  rules: readonly RuleRow[];
  open: string | undefined;
  list: RulesList;
  onSaved: () => void;
}) {
  if (props.rules.length === 0) return null;
  return (
    <section class="rules-group stack gap-2">
      <h2>
        {props.title} <span class="count">{props.rules.length}</span>
      </h2>
      <p class="muted break">{props.about}</p>
      <ul class="rows">
        {props.rules.map((rule) => (
          <RuleEntry
            key={rule.key}
            rule={rule}
            list={props.list}
            isOpen={rule.key === props.open}
            onSaved={props.onSaved}
          />
        ))}
      </ul>
    </section>
  );
}
