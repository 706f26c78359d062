import { execFileSync } from "node:child_process";
import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { tools } from "../../../src/hosts/claude-code/tools.ts";
import { loadHistory } from "../../../src/hosts/index.ts";
import { toolUse } from "../../../src/hosts/shared/tool-use/host-tools.ts";
import { findProject } from "../../../src/moments/project/project.ts";
import { metaFile } from "../../../src/moments/state/session-meta.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { propose } from "../../../src/sources/profile/learning/propose.ts";
import { draftHeard } from "../../../src/sources/rules/drafts/hear.ts";
import { askPerson } from "../../../src/sources/rules/drafts/waiting.ts";
import { openSessions } from "../../../src/sources/sessions/library.ts";
import { loadConfig } from "../../../src/store/config.ts";
import { homeAt } from "../../../src/store/home.ts";
import { engineFor } from "../engine.ts";
import { write } from "../world.ts";
import { OTHERS, REFUND, type Said } from "./conversation.ts";
import { NOTES, RULES } from "./notes.ts";
import { type DemoSession, endOf, writeClaudeCode, writeCodex, writePi } from "./transcripts.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface DemoWorld {
  readonly env: NodeJS.ProcessEnv;
  readonly root: string;
  /** The session that is looked at most. */
  readonly session: { readonly host: "claude-code"; readonly id: string };
}

/**
 * A person's machine after some weeks with Continuo, below a folder: projects, sessions of three hosts, notes, rules,
 * suggestions, and a session in which the real moments happened. Used for screenshots and by people who try the page.
 */
export async function demoWorld(folder: string, now: number): Promise<DemoWorld> {
  const user = join(folder, "home");
  const env: NodeJS.ProcessEnv = {
    HOME: user,
    CONTINUO_HOME: join(user, ".continuo"),
    PATH: process.env["PATH"] ?? "",
    TMPDIR: folder,
    LANG: "C.UTF-8",
  };
  const projects = Object.fromEntries(
    OTHERS.map(({ project }) => [project, repository(join(user, "work", project), env)]),
  );
  const shop = projects["shop"] ?? "";
  write(shop, {
    ...Object.fromEntries(Object.entries(RULES).map(([name, text]) => [join(".continuo/rules", name), text])),
    "src/refunds/split.ts":
      'import { divide } from "../money/divide.ts";\n\n/** Parts of a refund, one for each payment. They add up to the refund. */\nexport function splitRefund(amount: number, payments: Payment[]): number[] {\n  return divide(amount, payments.map((payment) => payment.amount));\n}\n',
    "src/tax/lines.ts":
      "export function taxOfLines(lines: Line[], rate: number) {\n  const total = Math.round(sum(lines.map((line) => line.net)) * rate);\n  return divide(total, lines.map((line) => line.net));\n}\n",
    "docs/refunds.md": "# Refunds\n\nA refund is divided among the payments of its order.\n",
  });
  git(shop, env, "add", "-A");
  git(shop, env, "commit", "-qm", "refunds: parts of a split add up to the refund");
  write(shop, {
    "src/tax/lines.ts":
      'import { divide } from "../money/divide.ts";\n\n/** The total\'s tax is rounded once, then divided among the lines. */\nexport function taxOfLines(lines: Line[], rate: number) {\n  const total = Math.round(sum(lines.map((line) => line.net)) * rate);\n  return divide(total, lines.map((line) => line.net));\n}\n',
  });
  writeNotes(join(user, ".continuo", "memory"), now);

  const main: DemoSession = {
    id: "5d0c2f7e-9a41-4b0e-8c7a-2f6f1f0e4b11",
    cwd: shop,
    branch: "main",
    began: now - 26 * MINUTE,
    said: REFUND,
  };
  const transcript = writeClaudeCode(user, main);
  writeOthers(user, projects, now);
  await live(main, transcript, env, now);
  await suggest(env, shop, main, now);
  const sessions = openSessions({
    home: homeAt(env["CONTINUO_HOME"] ?? ""),
    env,
    history: await loadHistory(),
  });
  await sessions.sync();
  sessions.close();
  return { env, root: shop, session: { host: "claude-code", id: main.id } };
}

function repository(root: string, env: NodeJS.ProcessEnv): string {
  mkdirSync(root, { recursive: true });
  write(root, { "README.md": "# A project\n" });
  git(root, env, "init", "-q", "-b", "main");
  git(root, env, "add", "-A");
  git(root, env, "commit", "-qm", "first commit");
  return root;
}

function git(root: string, env: NodeJS.ProcessEnv, ...args: string[]): void {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  execFileSync("git", [...who, ...args], { cwd: root, env, stdio: "ignore" });
}

function writeNotes(folder: string, now: number): void {
  Object.entries(NOTES).forEach(([title, text], at) => {
    const name = `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.md`;
    write(folder, { [name]: `---\ntitle: ${title}\n---\n# ${title}\n\n${text}\n` });
    const time = (now - at * 31 * HOUR) / 1000;
    utimesSync(join(folder, name), time, time);
  });
}

function writeOthers(user: string, projects: Readonly<Record<string, string>>, now: number): void {
  const writers = [writeClaudeCode, writeClaudeCode, writeCodex, writePi];
  let n = 0;
  for (const { project, topics } of OTHERS) {
    for (const [asked, answered] of topics) {
      n += 1;
      const said: readonly Said[] = [
        { by: "person", text: asked },
        { by: "agent", text: `I'll look at it.` },
        { by: "agent", text: answered },
        { by: "person", text: "Thanks. Is anything left to do?" },
        { by: "agent", text: "No. The tests pass and the change is committed." },
      ];
      const id = `${(0x3f1a0000 + n * 7919).toString(16)}-7c1d-4e2f-9b3a-${String(n).padStart(12, "0")}`;
      const session = {
        id,
        cwd: projects[project] ?? user,
        branch: n % 3 === 0 ? `fix/${project}-${n}` : "main",
        began: now - ((n * 5) % 19) * DAY - n * 37 * MINUTE - 2 * HOUR,
        said,
      };
      writers[n % writers.length]?.(user, session);
    }
  }
}

/** The moments of a session, as a host would report them, through the real engine. */
async function live(
  session: DemoSession,
  transcript: string,
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<void> {
  const home = homeAt(env["CONTINUO_HOME"] ?? "");
  const { config } = loadConfig(home.config, SOURCES, env);
  const engine = engineFor({
    sources: SOURCES,
    config: { ...config, momentDeadlineMs: 60_000, sourceDeadlineMs: 60_000 }, // a busy machine must not change the demonstration
    home,
    history: loadHistory,
    env,
    onFailure: (where, error) => {
      throw new Error(`the demonstration failed in ${where}`, { cause: error });
    },
  });
  const common = (at: number) => ({
    session: { host: "claude-code" as const, id: session.id },
    project: findProject(session.cwd),
    cwd: session.cwd,
    transcript,
    at,
  });
  await engine.at({ ...common(session.began - MINUTE), name: "start" });
  for (const [turn, { by, text, calls = [], afterCompaction }] of session.said.entries()) {
    const at = session.began + turn * MINUTE;
    if (afterCompaction !== undefined) {
      await engine.at({ ...common(at), name: "compacting", trigger: "auto" });
      await engine.at({ ...common(at), name: "compacted" });
      await engine.summarised({ ...common(at), name: "compacted" }, afterCompaction);
    }
    if (by === "person") await engine.at({ ...common(at), name: "prompt", prompt: text });
    for (const { name, input } of calls)
      await engine.at({
        ...common(at + 1000),
        name: "tool",
        tool: { name, input, ...toolUse(tools, name, input, session.cwd, session.cwd) },
      });
  }
  await metaFile(home, env["HOME"], { host: "claude-code", id: session.id }, { lockWaitMs: 1000 }).update(
    () => ({
      context: {
        files: [
          join(session.cwd, "src/refunds/split.ts"),
          join(session.cwd, "docs/refunds.md"),
          join(session.cwd, "src/tax/lines.ts"),
        ],
        ports: ["5173", "5432"],
        endpoints: ["POST http://localhost:5173/api/refunds"],
        applet: ["git-diff", `path=${session.cwd}`],
      },
    }),
  );
  if (endOf(session) < now) await engine.at({ ...common(endOf(session)), name: "idle" });
}

async function suggest(
  env: NodeJS.ProcessEnv,
  root: string,
  session: DemoSession,
  now: number,
): Promise<void> {
  const place = { seed: join(env["HOME"] ?? "", ".pai/seed.json"), home: env["CONTINUO_HOME"] ?? "" };
  const saidAt = session.began + 3 * MINUTE;
  await propose(
    [
      {
        type: "pattern",
        content: "Adds a property test whenever code that handles money changes",
        evidence: "always add a property test when you touch money.",
        turn: `${session.id}-3`,
        saidAt,
        confidence: 0.8,
      },
      {
        type: "pattern",
        content: "Wants small commits, one per fix",
        evidence: "Small commits please, one per fix.",
        turn: `${session.id}-6`,
        saidAt,
        confidence: 0.7,
      },
      {
        type: "insight",
        content: "Prefers a runbook over a wiki page",
        evidence: "put that into a runbook, nobody reads the wiki",
        saidAt: now - 2 * DAY,
        confidence: 0.6,
      },
    ],
    { place, sessionId: session.id, host: "claude-code", projectName: root.split("/").at(-1) ?? "", now },
  );
  const home = homeAt(env["CONTINUO_HOME"] ?? "");
  const project = findProject(root);
  await draftHeard(
    [{ sentence: "I told you not to use any", turn: `${session.id}-3`, at: saidAt }],
    { session: { host: "claude-code", id: session.id }, project, at: saidAt },
    { home: home.root, readOnly: false, settings: {} },
  );
  askPerson(
    home,
    {
      rule: ".continuo/rules/commits.md",
      name: "commits.md",
      check: "commands",
      project,
      breaches: 4,
      example: "git commit -am 'tax: lines add up'",
    },
    now - HOUR,
  );
}
