import { useState } from "preact/hooks";
import type { KnownProject } from "../../api/projects.ts";
import type { RulesList, TryAnswer } from "../../api/rules.ts";
import { useGet } from "../core/resource.ts";
import { Empty, Loaded } from "../parts/States.tsx";
import { AddRule } from "./AddRule.tsx";
import { Followed } from "./Followed.tsx";
import { RuleGroups } from "./RuleGroups.tsx";
import { Trust } from "./Trust.tsx";
import { type Tried, Try } from "./Try.tsx";

interface Props extends Tried {
  /** The project's folder (default: that of `continuo web`). */
  readonly project?: string | undefined;
  /** The key of a rule to show open. */
  readonly rule?: string | undefined;
  /** Called when the user chooses another project. Default: this view remembers the choice. */
  readonly choose?: (project: string) => void;
  readonly keep?: (tried: Required<Tried>) => void;
  /** Called to open a rule. Default: this view opens it. */
  readonly show?: (rule: string) => void;
}

/** The rules of a project: which are active and why. Lets the user try a file, an edit, a prompt or a command. */
export function Rules(props: Props) {
  const [own, setOwn] = useState<string | undefined>();
  const [shown, setShown] = useState<string | undefined>();
  const [added, setAdded] = useState<string | undefined>();
  const [answer, setAnswer] = useState<TryAnswer | undefined>();
  const project = own ?? props.project;
  const list = useGet<RulesList>("/rules", { project }, ["rules", "given"]);
  return (
    <Loaded resource={list}>
      {(data) => (
        <div class="rules stack gap-6 narrow">
          <ProjectChoice
            project={data.project}
            projects={data.projects}
            choose={props.choose ?? ((root) => setOwn(root))}
          />
          <AddRule
            key={data.project.root}
            project={data.project.root}
            onAdded={({ path }) => {
              setAdded(path);
              list.reload();
            }}
          />
          {data.total + data.refused.length === 0 ? (
            <Empty
              title="No rules here yet"
              command={'continuo rules add "Run the tests before you say done."'}
            >
              Press <em>Add a rule</em>, or run this command in {data.project.root}. Rules of Cursor, Copilot,
              Claude Code, Windsurf, Cline and OpenCode are read too.
            </Empty>
          ) : (
            <>
              <Trust project={data.project} trust={data.trust} reload={list.reload} />
              <Try
                project={data.project.root}
                path={props.path}
                prompt={props.prompt}
                command={props.command}
                text={props.text}
                keep={props.keep}
                onAnswer={setAnswer}
              />
              <Followed project={data.project.root} rules={data.rules} show={props.show ?? setShown} />
              <RuleGroups
                list={data}
                open={keyOf(data, added) ?? shown ?? props.rule}
                tried={answer}
                onSaved={list.reload}
              />
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}

/** The key of the rule in this file, once the list contains it. */
function keyOf({ rules }: RulesList, path: string | undefined): string | undefined {
  return path === undefined ? undefined : rules.find((one) => one.path === path)?.key;
}

function ProjectChoice(props: {
  project: KnownProject;
  projects: readonly KnownProject[];
  choose: (root: string) => void;
}) {
  if (props.projects.length < 2) return <p class="muted break">{props.project.root}</p>;
  return (
    <label class="rules-project row wrap gap-2-3">
      <span>Project</span>
      <select value={props.project.root} onChange={({ currentTarget }) => props.choose(currentTarget.value)}>
        {props.projects.map(({ root, label }) => (
          <option key={root} value={root}>
            {label}
          </option>
        ))}
      </select>
      <span class="muted break">{props.project.root}</span>
    </label>
  );
}
