import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One engineer's project with its history, and moments at which a session starts in it. See `set/README.md`. */
export interface World {
  readonly name: string;
  readonly remote: string;
  readonly package: string | null;
  readonly rules: readonly { readonly file: string; readonly text: string }[];
  readonly notes: readonly Note[];
  readonly sessions: readonly Past[];
  readonly situations: readonly Situation[];
  readonly prompts: readonly { readonly text: string; readonly note: string | null }[];
}

interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly at: string;
  /** `own`, `none` for a global note, or the name of another project. */
  readonly project: string;
}

interface Past {
  readonly id: string;
  readonly startedAt: string;
  readonly branch: string;
  readonly turns: readonly {
    readonly role: "user" | "assistant";
    readonly text: string;
    readonly tools?: readonly {
      readonly name: string;
      readonly file?: string;
      readonly command?: string;
      readonly output?: string;
    }[];
  }[];
}

export interface Situation {
  readonly id: string;
  readonly now: string;
  readonly branch: string;
  readonly uncommitted: readonly string[];
  readonly person: string;
  readonly facts: readonly { readonly fact: string; readonly keywords: readonly string[] }[];
}

export interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Whether notes carry the stamp that Continuo writes, or only lie in a folder named like the project. */
export type Stamps = "stamped" | "folders";

/**
 * Builds the machine of a situation: repository, rules, notes, transcripts. Times are moved so that the situation is now,
 * because hooks use the real clock.
 */
export function build(folder: string, world: World, situation: Situation, stamps: Stamps): Place {
  const user = join(folder, "user");
  const root = join(user, "work", world.name);
  const moved = Date.now() - Date.parse(situation.now);
  const before = (at: string) => Date.parse(at) < Date.parse(situation.now);
  const timeOf = (at: string) => Date.parse(at) + moved;
  makeRepository(root, world, situation, user);
  for (const { file, text } of world.rules) put(join(root, ".continuo", "rules", file), `${text}\n`);
  for (const note of world.notes.filter(({ at }) => before(at))) {
    const path = notePath(join(user, ".continuo", "memory"), world, note, stamps);
    put(path, noteText(world, note, stamps, timeOf(note.at)));
    utimesSync(path, timeOf(note.at) / 1000, timeOf(note.at) / 1000);
  }
  for (const session of world.sessions.filter(({ startedAt }) => before(startedAt)))
    writeTranscript(join(user, ".claude", "projects"), root, session, timeOf(session.startedAt));
  const env = { HOME: user, CONTINUO_HOME: join(user, ".continuo"), PATH: process.env["PATH"] ?? "" };
  return { root, env };
}

function makeRepository(root: string, world: World, situation: Situation, home: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: home },
      stdio: "ignore",
    });
  if (world.package !== null) put(join(root, "package.json"), JSON.stringify({ name: world.package }));
  put(join(root, "README.md"), `# ${world.name}\n`);
  for (const file of situation.uncommitted) put(join(root, file), "before\n");
  git("init", "-q", "-b", situation.branch);
  git("remote", "add", "origin", world.remote);
  git("add", ".");
  git("commit", "-qm", "State before");
  for (const file of situation.uncommitted) put(join(root, file), "after\n");
}

function notePath(memory: string, world: World, { id, project }: Note, stamps: Stamps): string {
  const inFolder = stamps === "folders" && project !== "none";
  return join(memory, inFolder ? (project === "own" ? world.name : project) : "notes", `${id}.md`);
}

function noteText(world: World, note: Note, stamps: Stamps, at: number): string {
  const { title, text, project } = note;
  const identity = (remote: string) =>
    remote
      .replace(/^git@([^:]+):/, "$1/")
      .replace(/^https:\/\//, "")
      .replace(/\.git$/, "")
      .toLowerCase();
  const stamp =
    project === "none"
      ? ["project: none"]
      : stamps === "folders"
        ? []
        : project === "own"
          ? [`project: ${world.name}`, `project_id: ${identity(world.remote)}`]
          : [`project: ${project}`, `project_id: github.com/elsewhere/${project.toLowerCase()}`];
  const lines = [`title: ${JSON.stringify(title)}`, ...stamp, `created: ${new Date(at).toISOString()}`];
  return `---\n${lines.join("\n")}\n---\n\n# ${title}\n\n${text}\n`;
}

const TOOLS: Readonly<Record<string, string>> = { edit: "Edit", write: "Write", read: "Read", bash: "Bash" };

/** As Claude Code writes it. A minute passes between two turns. */
function writeTranscript(projects: string, root: string, { id, branch, turns }: Past, from: number): void {
  const session = uuid(`${root} ${id}`);
  const lines: object[] = [];
  let at = from;
  let parentUuid: string | null = null;
  const add = (type: "user" | "assistant", content: unknown) => {
    const own = uuid(`${session} ${lines.length}`);
    const message = type === "user" ? { role: type, content } : { role: type, id: own, model: "m", content };
    const common = { parentUuid, isSidechain: false, cwd: root, sessionId: session, gitBranch: branch };
    lines.push({ ...common, type, uuid: own, timestamp: new Date(at).toISOString(), message });
    parentUuid = own;
    at += 20_000;
  };
  for (const { role, text, tools = [] } of turns) {
    if (role === "user") add("user", text);
    else {
      tools.forEach(({ name, file, command, output }, i) => {
        const call = `toolu_${lines.length}_${i}`;
        const input = file === undefined ? { command } : { file_path: join(root, file) };
        add("assistant", [{ type: "tool_use", id: call, name: TOOLS[name] ?? name, input }]);
        add("user", [{ type: "tool_result", tool_use_id: call, content: output ?? "" }]);
      });
      add("assistant", [{ type: "text", text }]);
    }
    at += 40_000;
  }
  const path = join(projects, root.replace(/[^A-Za-z0-9]/g, "-"), `${session}.jsonl`);
  put(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  utimesSync(path, at / 1000, at / 1000);
}

function uuid(text: string): string {
  const hex = createHash("sha1").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
