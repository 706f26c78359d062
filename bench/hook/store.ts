import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadHistory } from "../../src/hosts/index.ts";
import { openMemory } from "../../src/sources/notes/memory.ts";
import { openSessions } from "../../src/sources/sessions/library.ts";
import type { Home } from "../../src/store/home.ts";
import { benchEngine } from "../engine.ts";

/** A project with eight short rules, like an active project. */
export function makeProject(root: string): void {
  const folder = join(root, ".continuo", "rules");
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < 8; i++) {
    const front = i % 2 === 0 ? "" : `---\nname: rule ${i}\npriority: ${i}\n---\n`;
    writeFileSync(
      join(folder, `rule-${i}.md`),
      `${front}Rule ${i}: do the right thing in the ${i}th of the known places, and say what you did.\n`,
    );
  }
}

/** Transcripts of Claude Code in the project, a minute apart, of about 60 KB each. */
export function writeTranscripts(user: string, root: string, sessions: number): void {
  const folder = join(user, ".claude", "projects", root.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < sessions; i++) {
    const at = Date.now() - (sessions - i) * 60_000;
    const turns = Array.from({ length: 40 }, (_, turn) =>
      lineOf(`past-${i}`, root, i, turn, at - 40_000 + turn * 1000),
    );
    const path = join(folder, `past-${i}.jsonl`);
    writeFileSync(path, turns.join(""));
    utimesSync(path, at / 1000, at / 1000);
  }
}

function lineOf(session: string, cwd: string, i: number, turn: number, at: number): string {
  const role = turn % 2 === 0 ? "user" : "assistant";
  const text =
    role === "user"
      ? `Look at part ${turn} of module ${i % 70} and make it faster.`
      : `Part ${turn} of module ${i % 70} is faster now. ${"It reads each file once. ".repeat(40)}`;
  const entry = {
    type: role,
    uuid: `${session}-${turn}`,
    sessionId: session,
    cwd,
    gitBranch: "main",
    timestamp: new Date(at).toISOString(),
    message: {
      role,
      content: [{ type: "text", text }],
      ...(role === "assistant" && { id: `m-${turn}`, model: "m" }),
    },
    padding: "x".repeat(1000),
  };
  return `${JSON.stringify(entry)}\n`;
}

/** Indexes all transcripts below a user's home. */
export async function indexTranscripts(home: Home, user: string): Promise<void> {
  const library = openSessions({ home, env: { HOME: user }, history: await loadHistory() });
  await library.sync();
  library.close();
}

/** Sessions run through the real engine, so that states and ledger are realistic. The notes are indexed. */
export async function fillStore(home: Home, root: string, sessions: number, notes: number): Promise<void> {
  const engine = benchEngine(home);
  const project = { id: root, root, label: "bench" };
  for (let i = 0; i < sessions; i++) {
    const at = Date.now() - (sessions - i) * 60_000;
    const session = { host: "claude-code", id: `old-${i}` };
    await engine.handle({ kind: "moment", moment: { name: "start", session, project, cwd: root, at } });
  }
  writeEqualNotes(join(home.root, "memory"), notes);
  const known = openMemory({ home, env: {}, settings: {} });
  await known.sync();
  known.close();
}

/** Notes that differ in their number and concepts only: the worst case for searches, as all have the same words. */
export function writeEqualNotes(memory: string, notes: number): void {
  mkdirSync(memory, { recursive: true });
  for (let i = 0; i < notes; i++) {
    writeFileSync(
      join(memory, `note-${i}.md`),
      `# Note ${i}\n\nAbout [[concept-${i % 300}]] and [[concept-${i % 70}]].\n${"Some words of text. ".repeat(40)}\n`,
    );
  }
}
