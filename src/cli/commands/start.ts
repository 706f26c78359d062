import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ContinuoError, describeError } from "../../base/errors.ts";
import type { Composition } from "../../compose/compose.ts";
import type { Room } from "../../compose/room.ts";
import { createEngine } from "../../moments/engine.ts";
import { findProject } from "../../moments/project.ts";
import type { Project } from "../../moments/types.ts";
import { type Config, loadConfig } from "../../store/config.ts";
import { pendingNote } from "../../store/health.ts";
import { findHome } from "../../store/home.ts";
import type { Command, Input } from "../command.ts";
import { hostOption } from "../terminal/options.ts";
import { table } from "../terminal/table.ts";

const SAMPLE = "samples/bookshop";

/** Read-only: shows what would be delivered without starting a session. */
export const start: Command = {
  name: "start",
  summary: "show what a new session here would get, and why",
  usage: "start [--project DIR] [--host HOST]",
  options: {
    project: { type: "string", value: "DIR", help: "project folder (default: the current one)" },
    host: {
      type: "string",
      value: "HOST",
      help: "show it as this host would deliver it, in parts if needed",
    },
    "sample-if-empty": { type: "boolean", help: "show the sample project if there is nothing to show" },
  },
  async run(input) {
    const directory = resolve(input.cwd, String(input.values["project"] ?? "."));
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ContinuoError("no-such-folder", `${directory} is not a folder`, {
        hint: "--project needs a folder that exists",
      });
    }
    const here = await preview(input, findProject(directory));
    if (here.made.text !== "" || input.values["sample-if-empty"] !== true) return report(here, false);
    const sample = join(input.packageRoot, SAMPLE);
    // Not by `findProject`: the sample is inside Continuo's own repository, but is a project of its own.
    return report(
      await preview(input, { id: sample, root: sample, label: "bookshop" }),
      true,
      here.project.root,
    );
  },
};

interface Preview {
  readonly project: Project;
  readonly made: Composition;
  readonly config: Config;
  readonly problems: readonly string[];
  readonly room: Room | undefined;
}

async function preview(input: Input, project: Project): Promise<Preview> {
  const home = findHome(input.env);
  const sources = await input.sources();
  const { config, problems: configProblems } = loadConfig(home.config, sources, input.env);
  const problems = configProblems.map(({ message, hint }) => `${message} (${hint})`);
  const host = hostOption(input) ?? "cli";
  const room = await input.openingRoom(host);
  const engine = createEngine({
    sources,
    config,
    home,
    env: input.env,
    history: input.history,
    ...(room === undefined ? {} : { room }),
    health: { note: () => pendingNote(home), markReported: () => undefined },
    onFailure(where, error) {
      const { message, hint } = describeError(error);
      problems.push(`${where}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
    },
  });
  const session = { host, id: "preview" };
  const made = await engine.preview({ name: "start", session, project, cwd: project.root, at: input.now() });
  return { project, made, config, problems, room };
}

/** How the text is split if it is too long for one hook output. */
function partsLine({ parts }: Composition, room: Room | undefined): string[] {
  if (room === undefined || parts.length < 2) return [];
  return [
    `Delivered in ${parts.length} parts, because this host shows ${room.most} ${room.unit} of one hook output: as many as it has hook entries before the first answer, the rest with the next prompts and tool calls.`,
  ];
}

function report({ project, made, config, problems, room }: Preview, isSample: boolean, emptyRoot?: string) {
  const data = {
    project,
    isSample,
    text: made.text,
    tokens: made.tokens,
    fingerprint: made.fingerprint,
    limit: config.tokenLimit,
    rulesLimit: config.rulesLimit,
    parts: made.parts.map((part) => ({ text: part.text, tokens: part.tokens })),
    items: made.items,
    dropped: made.dropped,
    trouble: problems,
  };
  const lines = isSample
    ? [
        `There are no rules in ${emptyRoot} yet. This is the sample project that comes with Continuo:`,
        `  ${project.root}`,
        "",
      ]
    : [];
  if (made.text === "" && made.dropped.length > 0) {
    const names = made.dropped.map((item) => `${item.name} (${item.tokens} tokens)`).join(", ");
    lines.push(
      `A new session in ${project.root} would get nothing: ${names} ${made.dropped.length === 1 ? "does" : "do"} not fit into ${Math.max(config.rulesLimit, config.tokenLimit)} tokens.`,
    );
  } else if (made.text === "") {
    lines.push(
      `A new session in ${project.root} would get nothing, and use no tokens: no rule or note applies.`,
      "To try it, put a rule in .continuo/rules, for example:",
      '  mkdir -p .continuo/rules && echo "Run the tests before you say done." > .continuo/rules/tests.md',
    );
  } else {
    lines.push(
      `A new session in project "${project.label}" (${project.root}) would get exactly this before its first answer:`,
      "",
      made.text,
      "",
      "Sources:",
      table(
        ["source", "item", "tokens", "why"],
        made.items.map((item) => [item.source, item.name, String(item.tokens), item.reason]),
      ),
      ...made.dropped.map((item) => `  left out: ${item.name} (${item.tokens} tokens do not fit)`),
      ...(made.dropped.length === 0
        ? []
        : [
            "  To make more fit, run continuo rules check, or raise rulesLimit (rules) or snapshotAim (everything else).",
          ]),
      "",
      ...partsLine(made, room),
      `${made.tokens} tokens (estimated), ${made.text.length} characters; limits: ${config.rulesLimit} tokens for rules, ${config.tokenLimit} for everything else.`,
    );
  }
  lines.push(
    ...problems.map((one) => `Problem: ${one}`),
    "",
    "Nothing was written, no model was called, nothing was sent.",
  );
  if (isSample)
    lines.push(
      'For your own project: put rules in .continuo/rules, then run "continuo install claude-code".',
    );
  return { data, text: lines.join("\n") };
}
