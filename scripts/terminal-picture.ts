// Makes docs/images/terminal.svg, the README's picture of a terminal: node scripts/terminal-picture.ts
// It runs the real Claude Code of the tests with Continuo installed and draws what is on its screen. Only the model is
// not real: it answers with what it finds in the request that Claude Code sent. Without Continuo, or with something
// missing, the picture would say so.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { continuo } from "../test/e2e/continuo.ts";
import { startFakeAnthropic } from "../test/fakes/anthropic.ts";
import type { Reply } from "../test/fakes/anthropic-reply.ts";
import { classify, requestText } from "../test/fakes/anthropic-requests.ts";
import type { ModelRequest } from "../test/fakes/anthropic-wire.ts";
import { ROOT } from "../test/support/child.ts";
import { DEFAULT_MODEL, startClaudeCode, userEnv } from "../test/support/claude-code.ts";
import { claudeCodeScreen, leave } from "../test/support/claude-code-screen.ts";
import { write } from "../test/support/world.ts";
import { svgOf } from "./picture/svg.ts";

const RULES = {
  "tests.md": "Run `npm test` before you say done.",
  "money.md": "---\nglobs: src/**/*.ts\n---\nMoney is integer cents. Divide it with `divide()`.",
};
const NOTE = "Staging has no cron jobs";
const EARLIER = "Refunds of split payments are off by a cent";
const FILE = "src/refunds/split.ts";

const SGR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;:]*m`, "g");

let isRead = false;
const server = await startFakeAnthropic({ respond });
const host = await startClaudeCode({ git: true, server });
try {
  write(host.project, { [FILE]: "export const split = divide;\n", ...inRules(RULES) });
  const user = { env: userEnv(host, "tool"), project: host.project };
  await continuo(user, "install", "claude-code");
  await continuo(user, "note", NOTE);
  await host.run({ prompt: EARLIER });
  isRead = false;
  const size = { columns: 92, lines: 60 };
  const screen = await claudeCodeScreen(host, ["--model", DEFAULT_MODEL], { size });
  await screen.until(/says: Continuo[\s\S]*\n❯/);
  await ask(`Read ${FILE}. What do you know?`, /Continuo:[\s\S]*cents[\s\S]*\n❯/);
  await ask("/compact", /ompacted[\s\S]*\n❯/);
  await ask("And after the compaction?", /compaction\?[\s\S]*cents[\s\S]* done \d+:/);
  const shown = await screen.coloured();
  await leave(screen);
  writeFileSync(join(ROOT, "docs", "images", "terminal.svg"), svgOf(relevant(shown), "Claude Code"));

  async function ask(prompt: string, answered: RegExp) {
    await screen.type(prompt);
    await screen.until(new RegExp(`❯\\s${prompt.slice(0, 20).replace(/[/?.]/g, "\\$&")}`));
    await screen.press("Enter");
    await screen.until(answered);
  }
} finally {
  await host.dispose();
  await server.close();
}

function respond(request: ModelRequest): Reply {
  const kind = classify(request);
  if (kind === "compaction")
    return { text: "<analysis>x</analysis>\n<summary>The user asked about rules. We read a file.</summary>" };
  if (kind !== "main") return { text: "ok" };
  if (!isRead) {
    isRead = true;
    return { toolUses: [{ name: "Read", input: { file_path: join(host.project, FILE) } }] };
  }
  return { text: found(requestText(request)) };
}

/** What of the rules, the note and the earlier session is in a request. */
function found(text: string): string {
  const rules = Object.values(RULES).map((rule) => ["rule", rule.replace(/^---[\s\S]*?---\n/, "")]);
  const facts = [...rules, ["note", NOTE], ["last session", EARLIER]].filter(([, fact = ""]) =>
    text.includes(fact),
  );
  if (facts.length === 0) return "My request has nothing from Continuo.";
  return ["My request has this from Continuo:", ...facts.map(([kind, fact]) => `- ${kind}: ${fact}`)].join(
    "\n",
  );
}

function inRules(rules: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(rules).map(([name, text]) => [`.continuo/rules/${name}`, text]));
}

/** From what Continuo says at the start to the last answer, without what is different in each run: the time and the host's jokes. */
function relevant(shown: string): string {
  const plain = (line: string) => stripVTControlCharacters(line);
  const lines = shown.split("\n");
  const begin = lines.findIndex((line) => /says: Continuo/.test(plain(line)));
  const end = lines.findLastIndex((line) => /^ {2}- /.test(plain(line)));
  if (/Continuo had \d+ failure/.test(plain(shown)))
    throw new Error("a source was late: this machine is too busy for a picture");
  if (begin < 0 || end < begin) throw new Error(`the screen does not show a whole session:\n${plain(shown)}`);
  const kept = lines.slice(begin, end + 1).filter((line) => !/ done \d+:\d\d/.test(plain(line)));
  // tmux says a style once; what stood above decides how the first line looks. Not every font has the replaced character.
  const before = lines.slice(0, begin).join("").match(SGR)?.join("") ?? "";
  return `${before}${kept.join("\n")}`.replaceAll("⎿", "└").replace(/\n(?:\s*\n){2,}/g, "\n\n");
}
