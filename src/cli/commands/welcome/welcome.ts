import { version } from "../../../base/version.ts";
import type { Installer } from "../../../hosts/port/installer.ts";
import { withSessions } from "../../../sources/sessions/access.ts";
import { findHome } from "../../../store/home.ts";
import { readSeen, writeSeen } from "../../../store/seen.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { canAsk, choiceAsker } from "../../terminal/input.ts";
import { exactly } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { loadCommand } from "../index.ts";
import { connectAll } from "../install/connect.ts";
import { type Installation, installationOf, permanentCommand, programOf } from "../install/installation.ts";
import { type Found, type FoundAgent, lookAround } from "./found.ts";
import { type Indexed, indexHistory } from "./history.ts";
import { offerSaidBefore } from "./said-before.ts";
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
  exactly(input, 0, "welcome [--yes]");
  const isYes = input.values["yes"] === true;
  const isJson = input.values["json"] === true;
  const isPerson = (input.screen ?? PLAIN).isTerminal && canAsk(input) && !isJson;
  if (!isYes && !isPerson && !isJson) {
    const help = await loadCommand("help");
    if (help !== undefined) return help.run({ ...input, positionals: [] });
  }
  const installation = installationOf(input.packageRoot);
  const program = programOf(installation);
  const say = isJson ? () => undefined : (text: string) => input.output?.say(text);
  const home = findHome(input.env);
  const seen = readSeen(home);
  const isFirst = seen.welcomedAt === undefined || isYes;
  const found = await lookAround(input);
  say(`${title(input)}\n\n`);
  if (isJson && !isYes) return { data: dataOf(found, [], undefined), text: "" };
  if (isFirst) say(`${foundText(input, found, program)}\n\n`);
  const open = isFirst ? openAgents(input, found, installation, say) : [];
  if (open.length > 0 && !isYes)
    say(
      `${wrapOn(`If you connect ${open.length === 1 ? "it" : "one"}, your past sessions are indexed too. The index stays on this machine.`, input.screen ?? PLAIN)}\n\n`,
    );
  const results = await connectAll(input, open, { ask: isYes ? undefined : choiceAsker() });
  for (const { lines } of results) say(`${wrapOn(lines.join("\n"), input.screen ?? PLAIN, { hang: 2 })}\n\n`);
  const connected = results.filter(({ outcome }) => outcome === "connected");
  const failures = results.filter(({ outcome }) => outcome === "failed").length;
  const isConnected = connected.length > 0 || found.agents.some(({ state }) => state === "connected");
  if (results.length > 0 && !isConnected && results.every(({ outcome }) => outcome === "declined")) {
    // A user who declines every agent gets no index of their sessions either, and is asked again next time.
    say(
      wrapOn(
        `Nothing was changed, and nothing was indexed. To connect one later: ${program} install`,
        input.screen ?? PLAIN,
      ),
    );
    return { data: dataOf(found, [], undefined), text: "" };
  }
  const { indexed, tries } = await withSessions({ ...input, home }, 0, async (sessions) => {
    const indexed = await indexHistory(input, sessions);
    if (isFirst) say(indexedText(input, indexed, program));
    else say(stateText(input, found, seen, indexed.sessions));
    if (isFirst && isPerson && isConnected && !isYes && !indexed.isInterrupted)
      await offerSaidBefore(input, say);
    return {
      indexed,
      tries: indexed.isInterrupted ? [] : await thingsToTry(input, sessions, { program, isConnected }),
    };
  });
  if (tries.length > 0) say(`\n${triesText(input, tries)}`);
  const first = open.find(({ host }) => host === connected[0]?.host);
  if (first !== undefined)
    say(
      wrapOn(
        `Then start ${first.label} as usual: a line at its start says what it was given.`,
        input.screen ?? PLAIN,
      ),
    );
  if (!isConnected && found.agents.length > 0 && installation.kind !== "npx")
    say(wrapOn(`\nNo agent is connected. To connect one later: ${program} install`, input.screen ?? PLAIN));
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
function openAgents(
  input: Input,
  found: Found,
  installation: Installation,
  say: (text: string) => void,
): Installer[] {
  const open = found.agents.filter(({ state, isFound }) => state === "not connected" && isFound);
  if (open.length === 0 || installation.kind !== "npx") return open.map(({ installer }) => installer);
  // Agents would call a program that npm may delete at any time.
  say(npxText(input, open, installation.source));
  return [];
}

function npxText(input: Input, open: readonly FoundAgent[], source: string): string {
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const names = open.map(({ installer }) => installer.label).join(", ");
  return wrapOn(
    [
      `Not connected: ${names}. This copy is in npx's cache, which npm may empty, and an agent needs one that stays. To install it and go on:`,
      `  ${paint("cyan", `${permanentCommand(source)} && continuo`)}`,
      "\n",
    ].join("\n"),
    screen,
  );
}

function indexedText(
  input: Input,
  { sessions, isComplete, isInterrupted }: Indexed,
  program: string,
): string {
  const paint = paintFor(input.screen ?? PLAIN);
  const all = `${counted(sessions, "past session")} indexed.`;
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
