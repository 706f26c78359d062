import { ContinuoError, describeError } from "../base/errors.ts";
import { isTooOld, OLDEST_NODE, version } from "../base/version.ts";
import type { World } from "./command.ts";
import { findCommand, loadCommand } from "./commands/index.ts";
import { parseWords } from "./parse.ts";
import { canAsk, INTERRUPTED } from "./terminal/input.ts";
import { PLAIN } from "./terminal/screen.ts";
import { type Streams, terminalOver } from "./terminal/terminal.ts";

/**
 * Runs one command line and returns its exit code: 0 success, 1 failure, 2 wrong usage, 130 cancelled at a question.
 */
export async function main(argv: readonly string[], given: World, streams: Streams): Promise<number> {
  const terminal = terminalOver(streams);
  const screen = streams.screen?.() ?? PLAIN;
  const world = { ...given, tell: terminal.tell, progress: terminal.progress, output: terminal, screen };
  if (isToolCall(argv)) return (await import("./commands/maenifold/main.ts")).toolMain(argv, world, terminal);
  const wantsJson = argv.includes("--json");
  try {
    if (["--version", "-v", "version"].includes(argv[0] ?? "")) {
      if (wantsJson) terminal.json({ ok: true, data: { version } });
      else terminal.say(version);
      return 0;
    }
    refuseOldNode(argv);
    const [name = "help", ...words] = await asCommand(argv, screen.isTerminal && canAsk(world), world);
    const command = await findCommand(name, world.actions);
    const outcome = await command.run({ ...world, ...parseWords(command, words) });
    if (command.raw === true) terminal.raw(outcome.text);
    else if (wantsJson) terminal.json({ ok: !outcome.exitCode, data: outcome.data });
    else terminal.say(outcome.text);
    return outcome.exitCode ?? 0;
  } catch (error) {
    const told = describeError(error);
    if (told.code === INTERRUPTED) {
      terminal.tell(told.message);
      return 130;
    }
    if (wantsJson) terminal.json({ ok: false, error: told });
    else terminal.complain(told.message, told.hint);
    return told.code === "usage" ? 2 : 1;
  }
}

/** Commands that are useful on an old Node. All others would do only half of their work. */
const ON_ANY_NODE = ["help", "--help", "-h", "doctor", "uninstall"];

function refuseOldNode([name = ""]: readonly string[]): void {
  if (!isTooOld() || ON_ANY_NODE.includes(name)) return;
  const found = `this is Node ${process.versions.node} (${process.execPath})`;
  throw new ContinuoError("node-too-old", `Continuo needs Node ${OLDEST_NODE} or newer; ${found}`, {
    hint: "install a newer one, such as Node 24 (https://nodejs.org, or: nvm install 24), then run this again",
  });
}

/**
 * Turns every way to ask for help into `help COMMAND SUBCOMMAND`. Without a command, a user at a terminal gets the
 * guided start; so does a script that passes only options, such as `continuo --yes`.
 */
async function asCommand(
  argv: readonly string[],
  isPerson: boolean,
  world: World,
): Promise<readonly string[]> {
  const [name] = argv;
  const end = argv.indexOf("--");
  const before = end === -1 ? argv : argv.slice(0, end);
  if (name !== "help" && before.some((word) => word === "--help" || word === "-h"))
    return ["help", ...(await topicOf(before, world))];
  const isPlain = name === undefined || name === "--json";
  if (name !== undefined && !name.startsWith("-")) return argv;
  const guided = isPlain && !isPerson ? undefined : await loadCommand("welcome");
  if (guided !== undefined) return ["welcome", ...argv];
  return isPlain ? ["help", ...argv] : argv;
}

/** The command and subcommand for which help is requested; --json stays. */
async function topicOf(words: readonly string[], { actions }: World): Promise<string[]> {
  const json = words.includes("--json") ? ["--json"] : [];
  const [name, ...named] = words.filter((word) => !word.startsWith("-"));
  if (name === undefined) return json;
  const { subcommands = [] } = await findCommand(name, actions);
  const subcommand = subcommands.find((one) => named.includes(one.name));
  return [name, ...(subcommand === undefined ? [] : [subcommand.name]), ...json];
}

/** Whether this is a command line in maenifold's form: only options, including `--tool`. */
function isToolCall(argv: readonly string[]): boolean {
  return argv[0]?.startsWith("--") === true && argv.some((word) => /^--(?:tool|payload)(?:=|$)/.test(word));
}
