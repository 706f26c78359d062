import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { createEngine } from "../../../moments/engine/engine.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Project } from "../../../moments/types.ts";
import { wiredHosts } from "../../../setup/inspect.ts";
import { judgeFor } from "../../../sources/rules/actions/imagined.ts";
import { waitsFor } from "../../../sources/rules/matching/condition-words.ts";
import { loadConfig } from "../../../store/config.ts";
import { pendingNote } from "../../../store/health.ts";
import { findHome } from "../../../store/home.ts";
import { placeFor } from "../../actions/as-command.ts";
import type { Command, Input } from "../../command.ts";
import { hostOption, textOption } from "../../terminal/options.ts";
import { type Preview, report, type WaitingRule } from "./report.ts";

const SAMPLE = "samples/bookshop";

/** The user waits, not a host: on a slow machine the preview must still be complete. */
const DEADLINE_MS = 10_000;

/** Shows what would be delivered, without starting a session. */
export const start: Command = {
  name: "start",
  summary: "show what a new session here would get",
  usage: "start",
  section: "sessions",
  guide:
    "Prints exactly the text that the agent would receive, and the reason for each part. It starts no session and writes nothing.",
  options: {
    project: { type: "string", value: "DIR", help: "project folder", fallback: "the current one" },
    host: {
      type: "string",
      value: "AGENT",
      choices: [...HOST_NAMES, "mcp"],
      help: "show it as this agent would receive it",
      fallback: "the connected one",
    },
    "sample-if-empty": { type: "boolean", help: "show the sample project if there is nothing to show" },
  },
  examples: [
    ["continuo start", "show it for the current folder"],
    ["continuo start --project ~/work/shop --host codex", "show what Codex would get in another project"],
  ],
  async run(input) {
    const directory = resolve(input.cwd, String(input.values["project"] ?? "."));
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ContinuoError("no-such-folder", `${directory} is not a folder`, {
        hint: "--project needs a folder that exists",
      });
    }
    const wired = await wiredHosts(input);
    const host = hostOption(input) ?? wired[0]?.name ?? "cli";
    const chosen = { ...input, values: { ...input.values, host } };
    const here = await preview(chosen, host, findProject(directory));
    const waiting = await waitingRules(chosen);
    const isAsked = hostOption(input) !== undefined;
    if (here.made.text !== "" || input.values["sample-if-empty"] !== true)
      return report({ ...here, waiting, wired, isAsked }, input);
    const root = join(input.packageRoot, SAMPLE);
    // Not with `findProject`, because the sample is inside Continuo's own repository but counts as a separate project.
    const sample = await preview(chosen, host, { id: root, root, label: "bookshop" });
    return report({ ...sample, waiting: [], wired, isAsked }, input, here.project.root);
  },
};

async function preview(
  input: Input,
  host: string,
  project: Project,
): Promise<Omit<Preview, "waiting" | "wired" | "isAsked">> {
  const home = findHome(input.env);
  const sources = await input.sources();
  const { config, problems: configProblems } = loadConfig(home.config, sources, input.env);
  const failures = pendingNote(home);
  const problems = [
    ...configProblems.map(({ message, hint }) => `${message} (${hint})`),
    ...(failures === undefined ? [] : [failures]),
  ];
  const room = await input.openingRoom(host);
  const engine = createEngine({
    sources,
    config: { ...config, sourceDeadlineMs: Math.max(config.sourceDeadlineMs, DEADLINE_MS) },
    home,
    env: input.env,
    history: input.history,
    room,
    onFailure(where, error) {
      const { message, hint } = describeError(error);
      problems.push(`${where}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
    },
  });
  const session = { host, id: "preview" };
  const made = await engine.preview({ name: "start", session, project, cwd: project.root, at: input.now() });
  return { project, host, made, config, problems, room };
}

/** The rules that do not apply yet, and what each one waits for. */
async function waitingRules(input: Input): Promise<WaitingRule[]> {
  const { judged } = await judgeFor(
    { project: textOption(input, "project"), host: hostOption(input) },
    placeFor(input),
  );
  return judged.flatMap(({ rule, judgement }) => {
    const event = judgement.active || rule.isEmpty ? undefined : waitsFor(rule);
    return event === undefined ? [] : [{ name: rule.name, path: rule.file.path, waitsFor: event }];
  });
}
