import { ContinuoError, describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { MCP_CLIENT_NAMES, pasteableEntry } from "../../../hosts/mcp/clients.ts";
import type { Installer } from "../../../hosts/port/installer.ts";
import { launchOf } from "../../../hosts/shared/install/mcp-launch.ts";
import { type AgentState, agentStates, findAgents } from "../../../setup/agents.ts";
import { installCommand, type SetUpOptions, wiringOf } from "../../../setup/plan.ts";
import { findHome } from "../../../store/home.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { canAsk, choiceAsker } from "../../terminal/input.ts";
import { linesOf } from "../../terminal/lines.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { PLAIN, type Screen } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { type Connected, connectAll } from "./connect.ts";
import { entriesInWords, filesInWords } from "./words.ts";

export const install: Command = {
  name: "install",
  summary: "connect Continuo to your agents; without arguments, list them",
  usage: "install [AGENT…] [--all] [--diff]",
  section: "start",
  options: {
    all: { type: "boolean", help: "connect every agent that is found on this machine" },
    diff: { type: "boolean", help: "show the edit and change nothing" },
    "dry-run": { type: "boolean", help: "the same as --diff" },
    yes: { type: "boolean", short: "y", help: "do not ask" },
    "no-mcp": { type: "boolean", help: "do not add the MCP server" },
    "allow-tools": {
      type: "boolean",
      help: "let the agent use Continuo's read-only tools without asking (claude-code)",
    },
    statusline: { type: "boolean", help: "also show Continuo in the status line (claude-code)" },
  },
  arguments: {
    AGENT: { help: "one or more agents", choices: [...HOST_NAMES, ...MCP_CLIENT_NAMES, "other"] },
  },
  examples: [
    ["continuo install", "list the agents and whether they are connected"],
    ["continuo install claude-code", "connect Claude Code; asks first"],
    ["continuo install codex --diff", "show the edit and change nothing"],
    ["continuo install --all --yes", "connect every agent that is found, without asking"],
  ],
  async run(input) {
    const names = input.positionals;
    if (names.includes("other")) return entryToPaste(input);
    if (input.values["all"] === true) return several(input, await foundAgents(input));
    if (names.length === 0) return listOfAgents(await agentStates(input), input.env, input.screen ?? PLAIN);
    return several(input, await findAgents(input, names));
  },
};

async function foundAgents(input: Input): Promise<Installer[]> {
  return (await agentStates(input)).filter(({ isFound }) => isFound).map(({ installer }) => installer);
}

async function several(input: Input, agents: readonly Installer[]): Promise<Outcome> {
  const statusLine = input.values["statusline"] === true;
  const allowTools = input.values["allow-tools"] === true;
  for (const agent of agents) {
    if (statusLine && agent.statusLine === undefined)
      throw unfit(agent, "has no status line that a command can fill", "--statusline");
    if (allowTools && agent.permissions === undefined)
      throw unfit(agent, "has no such permissions in its settings", "--allow-tools");
  }
  const isPreview = input.values["diff"] === true || input.values["dry-run"] === true;
  const isAsked = input.values["yes"] !== true && input.values["json"] !== true && canAsk(input);
  const ask = isAsked ? choiceAsker() : undefined;
  const options = { mcp: input.values["no-mcp"] !== true, statusLine, allowTools, isPreview, ask };
  const results = await connectAll(input, agents, options);
  const [only] = results;
  if (results.length === 1 && only?.outcome === "failed") throw only.cause;
  const paragraphs = results.map((one) => {
    const diff = one.outcome === "shown" ? `${one.diff ?? ""}\n` : "";
    return diff + wrapOn(one.lines.join("\n"), input.screen ?? PLAIN, { hang: 2 });
  });
  // Several agents are easier to tell apart with an empty line between them.
  const gap = results.length > 1 ? "\n\n" : "\n";
  const last = wrapOn(lastLines(results, options).join("\n"), input.screen ?? PLAIN, { hang: 2 });
  const data = results.map((one) => dataOf(one, isPreview));
  return {
    data: data.length === 1 ? data[0] : { agents: data },
    text:
      results.length === 0
        ? wrapOn(NONE_FOUND, input.screen ?? PLAIN)
        : [...paragraphs, ...(last === "" ? [] : [last])].join(gap),
    exitCode: results.some(({ outcome }) => outcome === "failed") ? 1 : 0,
  };
}

const NONE_FOUND = "No agent was found on this machine. To see which ones there are: continuo install";

function dataOf({ host, outcome, files, cause }: Connected, dryRun: boolean): object {
  const edited = dryRun ? files.map(({ file, diff }) => ({ file, diff })) : files;
  const { code, message } = describeError(cause);
  const error = outcome === "failed" ? { error: { code, message } } : {};
  return { host, changed: edited.length > 0, dryRun, files: edited, outcome, ...error };
}

function lastLines(results: readonly Connected[], options: SetUpOptions): string[] {
  const of = (outcome: Connected["outcome"]) =>
    results.filter((one) => one.outcome === outcome).map(({ host }) => host);
  const [done, shown] = [of("connected"), of("shown")];
  return linesOf(
    done.length > 0 && [
      'Next: start a session, then run "continuo status".',
      `To undo this: continuo uninstall ${done.join(" ")}`,
    ],
    shown.length > 0 && `To make this edit: ${installCommand(shown.join(" "), options)}`,
  );
}

function unfit({ label, host }: Installer, why: string, option: string): ContinuoError {
  return new ContinuoError("usage", `${label} ${why}`, {
    hint: `without ${option}: continuo install ${host}`,
  });
}

/** For a client whose settings are not known to Continuo. */
async function entryToPaste(input: Input): Promise<Outcome> {
  const launch = launchOf(await wiringOf(input, findHome(input.env), undefined));
  const entry = pasteableEntry(launch);
  return {
    data: { entry: JSON.parse(entry) },
    text: `${wrapOn('Put this into the settings of your MCP client. Some clients name the list "servers" instead.', input.screen ?? PLAIN)}\n\n${entry}`,
  };
}

/** The output of `continuo install` without arguments: every agent, its state, and the command for it. */
export function listOfAgents(states: readonly AgentState[], env: NodeJS.ProcessEnv, screen: Screen): Outcome {
  const paint = paintFor(screen);
  const here = states.filter(({ isFound, state }) => isFound || state !== "not connected");
  const others = states.filter((one) => !here.includes(one)).map(({ installer }) => installer);
  const waiting = here.filter(({ state }) => state === "not connected");
  const lines = linesOf(
    ...(here.length === 0
      ? ["No agent was found on this machine."]
      : here.flatMap((one) => about(one, env, paint))),
    "",
    others.length > 0 && [
      `Not found here: ${others.map(({ label, host }) => `${label} (${host})`).join(", ")}`,
      `Any other MCP client: ${paint("cyan", "continuo install other")}`,
    ],
    waiting.length > 1 && `To connect all that were found: ${paint("cyan", "continuo install --all")}`,
  );
  return { data: { agents: states.map(toJson) }, text: wrapOn(lines.join("\n"), screen, { hang: 2 }) };
}

function about({ installer, version, ...one }: AgentState, env: NodeJS.ProcessEnv, paint: Paint): string[] {
  const { host, label } = installer;
  const name = paint("bold", label) + (version === undefined ? "" : ` ${oneLine(version)}`);
  const entries = entriesInWords(one.adds);
  if (one.state === "connected")
    return [
      `${name}: ${paint("green", "connected")}`,
      ...(entries === "" ? [] : [`  Has ${entries} in ${filesInWords(one.files, env)}`]),
      `  To remove: ${paint("cyan", `continuo uninstall ${host}`)}`,
    ];
  if (one.state === "needs attention")
    return [
      `${name}: ${paint("yellow", "needs attention")}`,
      `  ${oneLine(one.problem)}`,
      ...(one.fix === "" ? [] : [`  To fix: ${paint("cyan", oneLine(one.fix.replace(/^run: /, "")))}`]),
    ];
  return [
    `${name}: not connected`,
    `  To connect: ${paint("cyan", `continuo install ${host}`)}${entries === "" ? "" : paint("dim", ` (adds ${entries})`)}`,
  ];
}

function toJson({ installer, isFound, version, state, problem, fix, adds, files }: AgentState): object {
  const { host, label } = installer;
  return { host, label, isFound, version: version ?? null, state, problem, fix, adds, files };
}
