import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { AGENT_NAMES, HOST_NAMES } from "../../../base/host-names.ts";
import { fields, flag, oneOf, optional, PROJECT } from "../../../moments/actions/fields.ts";
import { createEngine } from "../../../moments/engine/engine.ts";
import { action, alone, type Place } from "../../../moments/ports/action.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Project } from "../../../moments/types.ts";
import { wiredHosts } from "../../../setup/inspect.ts";
import { judgeFor } from "../../../sources/rules/actions/imagined.ts";
import { waitsFor } from "../../../sources/rules/matching/condition-words.ts";
import { loadConfig } from "../../../store/config.ts";
import { pendingNote } from "../../../store/health.ts";
import type { CommandPlace } from "../../actions/as-command.ts";
import { type Preview, report, toJson, type WaitingRule } from "./report.ts";

const SAMPLE = "samples/bookshop";

/** The user waits, not a host: on a slow machine the preview must still be complete. */
const DEADLINE_MS = 10_000;

/** Shows what would be delivered, without starting a session. */
const start = action({
  name: "start",
  about: "show what a new session here would get",
  guide:
    "Prints exactly the text that the agent would receive, and the reason for each part. It starts no session and writes nothing.",
  examples: [
    ["continuo start", "show it for the current folder"],
    ["continuo start --project ~/work/shop --host codex", "show what Codex would get in another project"],
  ],
  effect: "reads",
  input: fields({
    project: PROJECT,
    host: optional(
      oneOf("show it as this agent would receive it", AGENT_NAMES, {
        value: "AGENT",
        fallback: "the connected one",
        choices: [...HOST_NAMES, "mcp"],
      }),
    ),
    sampleIfEmpty: optional(flag("show the sample project if there is nothing to show")),
  }),
  run: (given, place: CommandPlace) => previewHere(given, place),
  json: toJson,
  view: report,
});

export const START = alone("sessions", start);

interface Wanted {
  readonly project?: string | undefined;
  readonly host?: string | undefined;
  readonly sampleIfEmpty?: boolean | undefined;
}

export async function previewHere(
  { project = ".", host: asked, sampleIfEmpty: wantsSample }: Wanted,
  place: CommandPlace,
): Promise<Preview> {
  const { cwd, world } = place;
  const directory = resolve(cwd, project);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new ContinuoError("no-such-folder", `${directory} is not a folder`, {
      hint: "--project needs a folder that exists",
    });
  const wired = await wiredHosts(world);
  const host = asked ?? wired[0]?.name ?? "cli";
  const about = { host, wired, isAsked: asked !== undefined };
  const here = await preview(place, host, findProject(directory));
  const waiting = await waitingRules(place, project, host);
  if (here.made.text !== "" || wantsSample !== true) return { ...about, ...here, waiting };
  const root = join(world.packageRoot, SAMPLE);
  // Not with `findProject`, because the sample is inside Continuo's own repository but counts as a separate project.
  const sample = await preview(place, host, { id: root, root, label: "bookshop" });
  return { ...about, ...sample, waiting: [], emptyRoot: here.project.root };
}

async function preview(
  { home, env, history, openingRoom, now, ...place }: Place,
  host: string,
  project: Project,
) {
  const sources = await place.sources();
  const { config, problems: configProblems } = loadConfig(home.config, sources, env);
  const failures = pendingNote(home);
  const problems = [
    ...configProblems.map(({ message, hint }) => `${message} (${hint})`),
    ...(failures === undefined ? [] : [failures]),
  ];
  const room = await openingRoom?.(host);
  const engine = createEngine({
    sources,
    config: { ...config, sourceDeadlineMs: Math.max(config.sourceDeadlineMs, DEADLINE_MS) },
    home,
    env,
    history,
    room,
    onFailure(where, error) {
      const { message, hint } = describeError(error);
      problems.push(`${where}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
    },
  });
  const session = { host, id: "preview" };
  const made = await engine.preview({ name: "start", session, project, cwd: project.root, at: now() });
  return { project, made, config, problems, room };
}

/** The rules that do not apply yet, and what each one waits for. */
async function waitingRules(place: Place, project: string, host: string): Promise<WaitingRule[]> {
  const { judged } = await judgeFor({ project, host }, place);
  return judged.flatMap(({ rule, judgement }) => {
    const event = judgement.active || rule.isEmpty ? undefined : waitsFor(rule);
    return event === undefined ? [] : [{ name: rule.name, path: rule.file.path, waitsFor: event }];
  });
}
