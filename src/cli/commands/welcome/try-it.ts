import { existsSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { clipWithin } from "../../../base/text.ts";
import { findProject } from "../../../moments/project.ts";
import { countOf } from "../../../moments/review/inboxes.ts";
import { STOP_WORDS } from "../../../search/stop-words.ts";
import { openInbox } from "../../../sources/inbox.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { findHome } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import type { Input } from "../../command.ts";
import { ago } from "../../terminal/ago.ts";
import { counted } from "../../terminal/table.ts";
import { itemsInWords } from "../log/deliveries.ts";
import { judgeAll } from "../rules/judged.ts";
import { isSameText } from "../rules/new-rule.ts";
import { start } from "../start/start.ts";

/** A command that works now, and what it will show. */
export interface Try {
  readonly command: string;
  readonly what: string;
}

/** Three things to do next with the user's own data, and what waits for the user. Each works now. */
export async function thingsToTry(
  input: Input,
  sessions: Sessions,
  { program, isConnected }: { readonly program: string; readonly isConnected: boolean },
): Promise<Try[]> {
  return [
    searchToTry(input, sessions, program) ?? noteToTry(program),
    await ruleToTry(input, program, isConnected),
    await startToTry(input, program),
    ...(await suggestionsToTry(input, program)),
  ];
}

const MOST_SESSIONS = 8;
const MOST_WORDS = 10;
/** Letters only: the command is copied into a shell. */
const WORD = /^\p{L}{4,24}$/u;

/** A word of a recent session that a search for it finds first. */
export function searchToTry(input: Input, sessions: Sessions, program: string): Try | undefined {
  for (const session of sessions.list({ spoken: true, limit: MOST_SESSIONS })) {
    const word = wordFor(session, sessions);
    if (word === undefined) continue;
    const name = clipWithin(oneLine(session.name), 60);
    return {
      command: `${program} sessions search ${word}`,
      what: `finds "${name}" (${ago(session.modified, input.now())})`,
    };
  }
  return undefined;
}

/** Of the words that find it first, the rarest: it says best what the session was about. */
function wordFor(session: PastSession, sessions: Sessions): string | undefined {
  const text = `${session.name} ${sessions.lastAsked(session)?.text ?? ""}`.slice(0, 2_000);
  const words = text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  const candidates = [...new Set(words)].filter((word) => WORD.test(word) && !STOP_WORDS.has(word));
  let best: { readonly word: string; readonly total: number } | undefined;
  for (const word of candidates.slice(0, MOST_WORDS)) {
    const { hits, total } = sessions.search(word, { limit: 1 });
    const isFirst = hits[0]?.session.id === session.id && hits[0].session.host === session.host;
    if (isFirst && total < (best?.total ?? Number.POSITIVE_INFINITY)) best = { word, total };
  }
  return best?.word;
}

function noteToTry(program: string): Try {
  return {
    command: `${program} note "Staging has no cron jobs."`,
    what: "writes a note that later sessions here begin with",
  };
}

/** An example that is no rule here yet: adding a rule twice is an error. */
async function ruleToTry(input: Input, program: string, isConnected: boolean): Promise<Try> {
  const examples = [
    `Run ${testCommand(findProject(input.cwd).root)} before you say that you are done.`,
    "Ask before you add a dependency.",
  ];
  const rules = await rulesHere(input);
  const fresh = examples.find((text) => !rules.some((rule) => isSameText(rule, text)));
  if (fresh === undefined)
    return {
      command: `${program} rules list`,
      what: `the ${counted(rules.length, "rule")} here, and when each applies`,
    };
  return {
    command: `${program} rules add "${fresh}"`,
    what: isConnected
      ? "every new session here gets it, and gets it again after a compaction"
      : "once an agent is connected, every new session here gets it",
  };
}

/** The texts of all rules here. Those that cannot be read are no reason to stop: `doctor` explains them. */
async function rulesHere(input: Input): Promise<string[]> {
  try {
    const { catalog } = await judgeAll({ ...input, values: {}, positionals: [] });
    return catalog.rules.map(({ body }) => body);
  } catch {
    return [];
  }
}

async function suggestionsToTry({ env, now, history }: Input, program: string): Promise<Try[]> {
  try {
    const waiting = countOf(await openInbox({ home: findHome(env).root, env, now, history }));
    if (waiting === 0) return [];
    return [{ command: `${program} review`, what: `${counted(waiting, "suggestion")} to accept or reject` }];
  } catch {
    return []; // a damaged profile: `doctor` explains it
  }
}

/** How this project runs its tests, by its files; in plain words if nobody knows. */
export function testCommand(root: string): string {
  const has = (name: string) => existsSync(join(root, name));
  if (hasTestScript(root)) {
    if (has("pnpm-lock.yaml")) return "pnpm test";
    if (has("bun.lock") || has("bun.lockb")) return "bun run test";
    return has("yarn.lock") ? "yarn test" : "npm test";
  }
  if (has("Cargo.toml")) return "cargo test";
  if (has("go.mod")) return "go test ./...";
  if (has("pytest.ini") || has("pyproject.toml")) return "pytest";
  return "the tests";
}

function hasTestScript(root: string): boolean {
  try {
    const value = parseBounded(readTextIfAny(join(root, "package.json"), { maxBytes: 1024 * 1024 }) ?? "");
    return isRecord(value) && isRecord(value["scripts"]) && typeof value["scripts"]["test"] === "string";
  } catch {
    return false; // not JSON, or not a file
  }
}

async function startToTry(input: Input, program: string): Promise<Try> {
  const command = `${program} start`;
  try {
    const { data } = await start.run({ ...input, values: {}, positionals: [] });
    const { tokens, items } = data as { tokens: number; items: readonly Item[] };
    if (items.length === 0) return { command, what: "what the next session here gets: nothing yet" };
    const given = itemsInWords(items.map(({ source, key, name }) => ({ source, key, title: name })));
    return { command, what: `what the next session here gets: ${oneLine(given)} (${tokens} tokens)` };
  } catch {
    return { command, what: "what the next session here gets, word for word" };
  }
}

interface Item {
  readonly source: string;
  readonly key: string;
  readonly name: string;
}
