import { ContinuoError } from "../../../base/errors.ts";
import { version } from "../../../base/version.ts";
import { count } from "../../../base/when.ts";
import type { Installer } from "../../../hosts/port/installer.ts";
import { withSessions } from "../../../sources/sessions/access.ts";
import { findHome } from "../../../store/home.ts";
import { readSeen, writeSeen } from "../../../store/seen.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { canAsk, choiceAsker } from "../../terminal/input.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { loadCommand } from "../index.ts";
import { connectAll } from "../install/connect.ts";
import { type Installation, installationOf, permanentCommand, programOf } from "../install/installation.ts";
import { type Found, lookAround } from "./found.ts";
import { type Indexed, indexHistory } from "./history.ts";
import { offerSaidBefore, type Say } from "./said-before.ts";
import { foundText, notesIn, stateText, title, triesText, undoText } from "./texts.ts";
import { type Try, thingsToTry } from "./try-it.ts";

export const welcomeCommand: Command = {
  name: "welcome",
  summary: "find your agents, connect them, index your past sessions and show what to try",
  usage: "welcome [--yes]",
  guide:
    "This is what `continuo` alone does on a terminal. The first time it asks for each agent whether to connect it. Later it shows the state and asks nothing. Everything can be undone: continuo uninstall --all",
  options: {
    yes: { type: "boolean", short: "y", help: "connect every agent that is found, without asking" },
  },
  examples: [
    ["continuo", "the guided start, on a terminal"],
    ["continuo --yes", "the same without questions, for scripts"],
  ],
  run,
};

async function run(input: Input): Promise<Outcome> {
  if (input.positionals.length > 0)
    throw new ContinuoError("usage", "too many arguments", { hint: "usage: continuo welcome [--yes]" });
  const { screen = PLAIN } = input;
  const isYes = input.values["yes"] === true;
  const isJson = input.values["json"] === true;
  const isPerson = screen.isTerminal && canAsk(input) && !isJson;
  if (!isYes && !isPerson && !isJson) {
    const help = await loadCommand("help");
    if (help !== undefined) return help.run({ ...input, positionals: [] });
  }
  const installation = installationOf(input.packageRoot);
  const program = programOf(installation);
  const say: Say = (text, hang = 0) =>
    isJson ? undefined : input.output?.say(wrapOn(text, screen, { hang }));
  const home = findHome(input.env);
  const seen = readSeen(home);
  const isFirst = seen.welcomedAt === undefined || isYes;
  const found = await lookAround(input);
  say(`${title(input)}\n\n`);
  if (isJson && !isYes) return { data: dataOf(found, [], undefined), text: "" };
  if (isFirst) say(`${foundText(input, found, program)}\n\n`, 8);
  const open = isFirst ? openAgents(input, found, installation, say) : [];
  if (open.length > 0 && !isYes)
    say(
      `If you connect ${open.length === 1 ? "it" : "one"}, your past sessions are indexed too. The index stays on this machine.\n\n`,
    );
  const results = await connectAll(input, open, { ask: isYes ? undefined : choiceAsker() });
  for (const { lines } of results) say(`${lines.join("\n")}\n\n`, 2);
  const connected = results.filter(({ outcome }) => outcome === "connected");
  const failures = results.filter(({ outcome }) => outcome === "failed").length;
  const isConnected = connected.length > 0 || found.agents.some(({ state }) => state === "connected");
  if (results.length > 0 && !isConnected && results.every(({ outcome }) => outcome === "declined")) {
    // A user who declines every agent gets no index of their sessions either, and is asked again next time.
    say(`Nothing was changed, and nothing was indexed. To connect one later: ${program} install`);
    return { data: dataOf(found, [], undefined), text: "" };
  }
  const { indexed, tries } = await withSessions({ ...input, home }, 0, async (sessions) => {
    const indexed = await indexHistory(input, sessions);
    if (isFirst) say(indexedText(input, indexed, program));
    else say(stateText(input, found, seen, indexed.sessions), 11);
    if (isFirst && isPerson && isConnected && !isYes && !indexed.isInterrupted)
      await offerSaidBefore(input, say);
    return {
      indexed,
      tries: indexed.isInterrupted ? [] : await thingsToTry(input, sessions, { program, isConnected }),
    };
  });
  // Not wrapped: the terminal does that, so that a long command is copied as one line.
  if (tries.length > 0 && !isJson) input.output?.say(`\n${triesText(input, tries)}`);
  const first = open.find(({ host }) => host === connected[0]?.host);
  if (first !== undefined)
    say(`Then start ${first.label} as usual: a line at its start says what it was given.`);
  if (!isConnected && found.agents.length > 0 && installation.kind !== "npx")
    say(`\nNo agent is connected. To connect one later: ${program} install`);
  if (isConnected || indexed.sessions > 0) say(`\n${undoText(input, program)}`);
  const notes = notesIn(found);
  // Without an agent there was no question, so the next time counts as the first again.
  if (found.agents.length > 0)
    writeSeen(home, { welcomedAt: input.now(), sessions: indexed.sessions, notes, version });
  const exitCode = indexed.isInterrupted ? 130 : failures > 0 ? 1 : 0;
  const after = isJson ? await lookAround(input) : found;
  return { data: dataOf(after, tries, indexed), text: "", exitCode };
}

/** The agents that can be connected now. */
function openAgents(input: Input, found: Found, installation: Installation, say: Say): Installer[] {
  const open = found.agents
    .filter(({ state, isFound }) => state === "not connected" && isFound)
    .map(({ installer }) => installer);
  if (open.length === 0 || installation.kind !== "npx") return open;
  // Agents would call a program that npm may delete at any time.
  const paint = paintFor(input.screen ?? PLAIN);
  const names = open.map(({ label }) => label).join(", ");
  say(
    [
      `Not connected: ${names}. This copy is in npx's cache, which npm may empty, and an agent needs one that stays. To install it and go on:`,
      `  ${paint("cyan", `${permanentCommand(installation.source)} && continuo`)}`,
      "\n",
    ].join("\n"),
  );
  return [];
}

function indexedText(
  input: Input,
  { sessions, isComplete, isInterrupted }: Indexed,
  program: string,
): string {
  const paint = paintFor(input.screen ?? PLAIN);
  const all = `${count(sessions, "past session")} indexed.`;
  if (isComplete) return sessions === 0 ? "There are no past sessions yet." : paint("green", all);
  const why = isInterrupted ? "Stopped." : "Another program is indexing now.";
  return `${all} ${why} To go on: ${program} sessions index`;
}

function dataOf(found: Found, tries: readonly Try[], indexed: Indexed | undefined): object {
  return {
    version,
    agents: found.agents.map(({ installer, version: of, state, sessions, problem }) => ({
      host: installer.host,
      label: installer.label,
      version: of ?? null,
      state,
      sessions,
      problem,
    })),
    sessions: found.sessions,
    rules: found.rules,
    notes: found.read,
    vaults: found.vaults,
    indexed: indexed ?? null,
    try: tries,
    undo: "continuo uninstall --all",
  };
}
