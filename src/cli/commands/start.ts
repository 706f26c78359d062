import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ContinuoError, describeError } from "../../base/errors.ts";
import type { Composition } from "../../compose/compose.ts";
import type { Room } from "../../compose/room.ts";
import { openingRoom } from "../../hosts/hooks.ts";
import { createEngine } from "../../moments/engine.ts";
import { findProject } from "../../moments/project.ts";
import type { Project } from "../../moments/types.ts";
import { SOURCES } from "../../sources/index.ts";
import { type Config, loadConfig } from "../../store/config.ts";
import { pendingNote } from "../../store/health.ts";
import { findHome } from "../../store/home.ts";
import type { Command, Input } from "../command.ts";
import { table } from "../terminal/table.ts";
import { hostOf, text } from "./rules/judged.ts";

const SAMPLE = "samples/bookshop";

/** Read-only: it shows, it does not begin a session. */
export const start: Command = {
  name: "start",
  summary: "print what a new session here would be given, and why",
  usage: "start [--project DIR] [--host HOST]",
  options: {
    project: { type: "string" },
    host: { type: "string", value: "HOST", help: "as this host would show it, in as many parts as it takes" },
    "sample-if-empty": { type: "boolean", help: "where there is nothing to show, show the sample project" },
  },
  async run(input) {
    const directory = resolve(input.cwd, String(input.values["project"] ?? "."));
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ContinuoError("no-such-folder", `${directory} is not a folder`, {
        hint: "give --project a folder that exists",
      });
    }
    const here = await preview(input, findProject(directory));
    if (here.made.text !== "" || input.values["sample-if-empty"] !== true) return report(here, false);
    const sample = join(input.packageRoot, SAMPLE);
    // Named by hand: the sample lies inside our own repository, whose project it is not.
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
  readonly trouble: readonly string[];
  readonly room: Room | undefined;
}

async function preview(input: Input, project: Project): Promise<Preview> {
  const home = findHome(input.env);
  const { config, problems } = loadConfig(home.config, SOURCES, input.env);
  const trouble = problems.map((problem) => `${problem.message} (${problem.hint})`);
  const host = hostOf(text(input, "host") ?? "cli");
  const room = openingRoom(host);
  const engine = createEngine({
    sources: SOURCES,
    config,
    home,
    env: input.env,
    history: input.history,
    ...(room === undefined ? {} : { room }),
    health: { note: () => pendingNote(home), markReported: () => undefined },
    onFailure: (where, error) => trouble.push(`${where}: ${describeError(error).message}`),
  });
  const session = { host, id: "preview" };
  const made = await engine.preview({ name: "start", session, project, cwd: project.root, at: input.now() });
  return { project, made, config, trouble, room };
}

/** How the text is spread over a host's outputs, where it is too long for one. */
function partsLine({ parts }: Composition, room: Room | undefined): string[] {
  if (room === undefined || parts.length < 2) return [];
  return [
    `It comes in ${parts.length} parts, since this host shows ${room.most} ${room.unit} of one hook output: all before the first answer as far as its hook entries go, the rest with the next prompts and tool calls.`,
  ];
}

function report({ project, made, config, trouble, room }: Preview, isSample: boolean, emptyRoot?: string) {
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
    trouble,
  };
  const lines = isSample
    ? [
        `There are no rules in ${emptyRoot} yet, so this shows the sample project that comes with Continuo:`,
        `  ${project.root}`,
        "",
      ]
    : [];
  if (made.text === "" && made.dropped.length > 0) {
    const names = made.dropped.map((item) => `${item.name} (${item.tokens} tokens)`).join(", ");
    lines.push(
      `A new session in ${project.root} would be given nothing: ${names} do not fit into ${Math.max(config.rulesLimit, config.tokenLimit)} tokens.`,
    );
  } else if (made.text === "") {
    lines.push(
      `A new session in ${project.root} would be given nothing: there is nothing to say, so it costs no token.`,
      "To see something here, put a rule in .continuo/rules, for example:",
      '  mkdir -p .continuo/rules && echo "Run the tests before you say done." > .continuo/rules/tests.md',
    );
  } else {
    lines.push(
      `A new session in project "${project.label}" (${project.root}) would be given exactly this, before its first answer:`,
      "",
      made.text,
      "",
      "Where it comes from:",
      table(
        ["source", "item", "tokens", "why"],
        made.items.map((item) => [item.source, item.name, String(item.tokens), item.reason]),
      ),
      ...made.dropped.map((item) => `  left out: ${item.name} (${item.tokens} tokens do not fit)`),
      ...(made.dropped.length === 0
        ? []
        : [
            "  To fit more in: continuo rules check, or raise rulesLimit (rules) or snapshotAim (everything else).",
          ]),
      "",
      ...partsLine(made, room),
      `${made.tokens} tokens (estimated), ${made.text.length} characters; the limits are ${config.rulesLimit} tokens for rules and ${config.tokenLimit} for everything else.`,
    );
  }
  lines.push(
    ...trouble.map((one) => `Trouble: ${one}`),
    "",
    "Nothing was written, no model was called, nothing was sent.",
  );
  if (isSample)
    lines.push('Your own: put rules in .continuo/rules of a project, then "continuo install claude-code".');
  return { data, text: lines.join("\n") };
}
