import { oneLine } from "../../base/for-terminal.ts";
import { isRecord, parseBounded } from "../../base/json.ts";
import { count } from "../../base/when.ts";
import { latestState, stateOfSession } from "../../moments/state/choose-session.ts";
import type { Given, SessionState } from "../../moments/state/session-state.ts";
import { loadConfig } from "../../store/config.ts";
import { findHome, type Home } from "../../store/home.ts";
import type { Command, Input } from "../command.ts";
import { canAsk, readInput } from "../terminal/input.ts";

export const statusline: Command = {
  name: "statusline",
  summary: "print one line for Claude Code's status line",
  usage: "statusline",
  section: "agents",
  isMinor: true,
  guide:
    "Claude Code runs it after every answer and sends the session on standard input. `continuo install claude-code --statusline` adds it. On a terminal it shows the last session of this project.",
  options: {},
  examples: [["continuo statusline", "show the line for the last session of this project"]],
  raw: true,
  // Claude Code calls this after every answer, so it opens no index, and prints nothing if anything fails.
  async run(input) {
    try {
      const text = await lineFor(input);
      return { data: { text }, text: text === "" ? "" : `${text}\n` };
    } catch {
      return { data: { text: "" }, text: "" }; // a status line must not show failures
    }
  },
};

async function lineFor(input: Input): Promise<string> {
  const home = findHome(input.env);
  if (!loadConfig(home.config, [], input.env).config.statusLine) return "";
  const given = readGiven(stateOf(input, home)?.given);
  const pending = await pendingSuggestions(input, home);
  const parts = [
    ...(given?.counts ?? []),
    ...(given?.tokens ? [count(given.tokens, "token")] : []),
    ...(pending === 0 ? [] : [count(pending, "suggestion")]),
  ];
  return parts.length === 0 ? "" : oneLine(`Continuo ${parts.join(" \u00b7 ")}`);
}

/** The payload has a few kilobytes. */
const MAX_PAYLOAD = 1024 * 1024;

/** The session that the host names; at a terminal, the newest one of this project. */
function stateOf(input: Input, home: Home): SessionState | undefined {
  if (canAsk(input)) return latestState(input, home);
  const payload = parseBounded(readInput(input.stdin, MAX_PAYLOAD));
  const id = isRecord(payload) ? payload["session_id"] : undefined;
  return typeof id === "string" ? stateOfSession(home, { host: "claude-code", id }) : undefined;
}

/** The file may be from another version. */
function readGiven(given: unknown): Given | undefined {
  if (!isRecord(given) || !Array.isArray(given["counts"]) || typeof given["tokens"] !== "number")
    return undefined;
  return { counts: given["counts"].filter((one) => typeof one === "string"), tokens: given["tokens"] };
}

async function pendingSuggestions({ env }: Input, home: Home): Promise<number> {
  try {
    const [{ allSuggestions }, { countOf }] = await Promise.all([
      import("../../sources/suggestions.ts"),
      import("../../moments/review/suggestions.ts"),
    ]);
    return countOf(await allSuggestions({ home: home.root, env }));
  } catch {
    return 0; // a damaged file is reported by doctor
  }
}
