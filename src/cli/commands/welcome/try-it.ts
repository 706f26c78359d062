import { existsSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { clipWithin } from "../../../base/text.ts";
import { ago, count } from "../../../base/when.ts";
import { itemsInWords } from "../../../moments/given/words.ts";
import { knownProject } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { countOf } from "../../../moments/review/suggestions.ts";
import { stem } from "../../../search/stem.ts";
import { STOP_WORDS } from "../../../search/words.ts";
import { isSameText } from "../../../sources/rules/actions/new-rule.ts";
import { judge } from "../../../sources/rules/judge.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { allSuggestions } from "../../../sources/suggestions.ts";
import { findHome } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { placeFor } from "../../actions/as-command.ts";
import type { Input } from "../../command.ts";
import { previewHere } from "../start/start.ts";

/** A command that works now, and what it will show. */
export interface Try {
  readonly command: string;
  readonly what: string;
}

/** Three suggested next steps with the user's own data, and what is pending. Each works now. */
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

function noteToTry(program: string): Try {
  return {
    command: `${program} note "Staging has no cron jobs."`,
    what: "writes a note that later sessions here begin with",
  };
}

/** An example that is not a rule here yet, because adding a rule twice is an error. */
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
      what: `the ${count(rules.length, "rule")} here, and when each applies`,
    };
  return {
    command: `${program} rules add "${fresh}"`,
    what: isConnected
      ? "every new session here gets it, and gets it again after a compaction"
      : "once an agent is connected, every new session here gets it",
  };
}

/** The texts of all rules here. Unreadable ones must not stop the start: `doctor` explains them. */
async function rulesHere(input: Input): Promise<string[]> {
  try {
    const { catalog } = await judge(placeFor(input), { directory: input.cwd });
    return catalog.rules.map(({ body }) => body);
  } catch {
    return [];
  }
}

async function suggestionsToTry({ env, now, history }: Input, program: string): Promise<Try[]> {
  try {
    const waiting = countOf(await allSuggestions({ home: findHome(env).root, env, now, history }));
    if (waiting === 0) return [];
    return [{ command: `${program} review`, what: `${count(waiting, "suggestion")} to accept or reject` }];
  } catch {
    return []; // a damaged profile: `doctor` explains it
  }
}

/** How this project runs its tests, according to its files; in plain words if unknown. */
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
    const { tokens, items } = (await previewHere({}, placeFor(input))).made;
    if (items.length === 0) return { command, what: "what the next session here gets: nothing yet" };
    const given = itemsInWords(items.map(({ source, key, name }) => ({ source, key, title: name })));
    return { command, what: `what the next session here gets: ${oneLine(given)} (${tokens} tokens)` };
  } catch {
    return { command, what: "what the next session here gets, word for word" };
  }
}

const MOST_SESSIONS = 8;
const MOST_WORDS = 12;
const MOST_QUERIES = 4;
const MOST_CHARACTERS = 250;
/** Letters only, because the command is copied into a shell. */
const WORD = /^\p{L}{3,24}$/u;

/** A few words from a recent session's prompt that find this session first. Preferably a session of this project. */
function searchToTry(input: Input, sessions: Sessions, program: string): Try | undefined {
  const { ids } = knownProject(findProject(input.cwd), { home: findHome(input.env), env: input.env });
  const here = sessions.list({ spoken: true, limit: MOST_SESSIONS, project: ids });
  const recent = here.length > 0 ? here : sessions.list({ spoken: true, limit: MOST_SESSIONS });
  for (const session of recent) {
    const words = wordsFor(session, sessions);
    if (words === undefined) continue;
    const name = clipWithin(oneLine(session.name), 60);
    return {
      command: `${program} search ${words}`,
      what: `finds "${name}" (${ago(session.modified, input.now())})`,
    };
  }
  return undefined;
}

/**
 * Three, or else two, consecutive words of a prompt. The rarest are preferred, because they best describe the session.
 */
function wordsFor(session: PastSession, sessions: Sessions): string | undefined {
  const prompts = [...sessions.firstPrompts(session), sessions.lastAsked(session)?.text ?? ""];
  const texts = prompts.map(wordsIn);
  const known = [...new Set(texts.flat())].slice(0, MOST_WORDS);
  const totals = new Map(
    known.map((word) => [word, sessions.search(word, { limit: 1, weaker: true }).total]),
  );
  const cost = (words: readonly string[]) => words.reduce((sum, word) => sum + (totals.get(word) ?? 0), 0);
  for (const many of [3, 2]) {
    const queries = texts
      .flatMap((words) => words.map((_, at) => words.slice(at, at + many)))
      .filter((words) => new Set(words.map(stem)).size === many && words.every((word) => totals.has(word)))
      .sort((a, b) => cost(a) - cost(b))
      .map((words) => words.join(" "));
    const found = [...new Set(queries)].slice(0, MOST_QUERIES).find((query) => {
      const [hit] = sessions.search(query, { limit: 1 }).hits;
      return hit?.session.id === session.id && hit.session.host === session.host;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The words of a prompt that are worth searching. A prompt that was cut may end within a word. */
function wordsIn(prompt: string): string[] {
  const isCut = prompt.length > MOST_CHARACTERS || prompt.endsWith("…");
  const text = prompt.slice(0, MOST_CHARACTERS);
  return (isCut ? text.replace(/\S*$/, "") : text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => WORD.test(word) && !STOP_WORDS.has(word));
}
