import { Pencil } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RuleRow, RulesList } from "../../api/rules.ts";
import { addressOf } from "../core/address.ts";
import { count } from "../core/format.ts";
import { Mute } from "../given/Mute.tsx";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
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

/** One line, which opens to everything that is known about the rule. */
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
          <dl class="facts">
            <dt>Why</dt>
            <dd>{rule.because}</dd>
            {rule.condition !== "" && (
              <>
                <dt>Condition</dt>
                <dd>{rule.condition}</dd>
              </>
            )}
            <dt>Given</dt>
            <dd>
              {rule.delivered === 0 ? "not yet" : count(rule.delivered, "time")}
              {rule.lastDelivered !== undefined && (
                <>
                  , last <Time at={rule.lastDelivered} />
                </>
              )}
            </dd>
            <dt>Cost</dt>
            <dd>
              {count(rule.tokens, "token")}, priority {rule.priority}
            </dd>
            <dt>File</dt>
            <dd>
              <a href={addressOf("/", { applet: "text-editor", path: rule.path })}>
                <code>{rule.path}</code>
              </a>{" "}
              <span class="muted break">
                {rule.dialect}, {rule.scope === "global" ? "for all projects" : "of this project"}
              </span>
            </dd>
            {rule.checks.length > 0 && (
              <>
                <dt>Checks</dt>
                <dd>
                  <Checks checks={rule.checks} />
                </dd>
              </>
            )}
            {rule.warnings.length > 0 && (
              <>
                <dt>Warnings</dt>
                <dd>
                  {rule.warnings.map((text, at) => (
                    <p key={at}>{text}</p>
                  ))}
                </dd>
              </>
            )}
          </dl>
          <div class="flex wrap gap-2">
            {/* What a rule for all projects runs needs no consent of its own, so no page writes one. */}
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
