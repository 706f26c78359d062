import { Pencil } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RuleRow, RulesList } from "../../api/rules.ts";
import { addressOf } from "../core/address.ts";
import { count } from "../core/format.ts";
import { Mute } from "../given/Mute.tsx";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Facts } from "../parts/Facts.tsx";
import { Time } from "../parts/Time.tsx";
import { OpenFile } from "../parts/text-editor/OpenFile.tsx";
import { Checks } from "./Checks.tsx";
import { TryHistory } from "./TryHistory.tsx";

const STATES: Readonly<Record<RuleRow["state"], readonly [string, "good" | "plain" | "warn"] | undefined>> = {
  active: undefined,
  waiting: undefined,
  "on-request": ["on request", "plain"],
  manual: ["only by hand", "plain"],
  "left-out": ["no room", "warn"],
  muted: ["muted", "warn"],
};

/** A line that unfolds to everything known about the rule. */
export function RuleEntry(props: {
  rule: RuleRow;
  list: Pick<RulesList, "project" | "projectId">;
  isOpen: boolean;
  onSaved: () => void;
}) {
  const { rule, list } = props;
  const [isEditing, setEditing] = useState(false);
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (props.isOpen) entry.current?.scrollIntoView({ block: "center" });
  }, [props.isOpen]);
  const state = STATES[rule.state];
  return (
    <li ref={entry}>
      <details class="rule" open={props.isOpen}>
        <summary class="row wrap gap-1-2 pad-y-2 hover">
          <span class="medium break">{rule.name}</span>
          {state && <Badge tone={state[1]}>{state[0]}</Badge>}
          {rule.checks.length > 0 && <Badge tone="accent">{count(rule.checks.length, "check")}</Badge>}
          {rule.warnings.length > 0 && <Badge tone="warn">{count(rule.warnings.length, "warning")}</Badge>}
          <span class="rule-condition clip muted right">
            {rule.condition === "" ? rule.because : rule.condition}
          </span>
        </summary>
        <div class="rule-body stack start gap-3">
          <Facts
            of={[
              ["Why", rule.because],
              ["Condition", rule.condition !== "" && rule.condition],
              ["Given", <Given key="given" rule={rule} />],
              ["Cost", `${count(rule.tokens, "token")}, priority ${rule.priority}`],
              ["File", <File key="file" rule={rule} />],
              ["Checks", rule.checks.length > 0 && <Checks checks={rule.checks} />],
              [
                "Warnings",
                rule.warnings.length > 0 && rule.warnings.map((text, at) => <p key={at}>{text}</p>),
              ],
            ]}
          />
          <div class="flex wrap gap-2">
            {/* Rules for all projects need no separate consent, so the page records none. */}
            {rule.scope === "project" && (
              <Button
                icon={Pencil}
                aria-expanded={isEditing}
                aria-label={`${isEditing ? "Close" : "Edit and try"} ${rule.name}`}
                onClick={() => setEditing(!isEditing)}
              >
                {isEditing ? "Close" : "Edit and try"}
              </Button>
            )}
            <Mute source="rules" itemKey={rule.key} label={rule.name} project={list.projectId} />
          </div>
          {isEditing && (
            <div class="rule-edit">
              <OpenFile
                path={rule.path}
                line={1}
                onSaved={props.onSaved}
                beside={(text, replace) => (
                  <TryHistory project={list.project.root} text={text} rule={rule.key} use={replace} />
                )}
              />
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

function Given({ rule: { delivered, lastDelivered } }: { rule: RuleRow }) {
  if (delivered === 0) return <>not yet</>;
  return (
    <>
      {count(delivered, "time")}
      {lastDelivered !== undefined && (
        <>
          , last <Time at={lastDelivered} />
        </>
      )}
    </>
  );
}

function File({ rule: { path, dialect, scope } }: { rule: RuleRow }) {
  return (
    <>
      <a href={addressOf("/", { applet: "text-editor", path })}>
        <code>{path}</code>
      </a>{" "}
      <span class="muted break">
        {dialect}, {scope === "global" ? "for all projects" : "of this project"}
      </span>
    </>
  );
}
