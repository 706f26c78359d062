import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../src/sources/memory/memory.ts";
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

/** Sessions run through the real engine, so that states and ledger are realistic. The notes are indexed. */
export async function fillStore(home: Home, root: string, sessions: number, notes: number): Promise<void> {
  const engine = benchEngine(home);
  const project = { id: root, root, label: "bench" };
  for (let i = 0; i < sessions; i++) {
    const at = Date.now() - (sessions - i) * 60_000;
    await engine.start({
      name: "start",
      session: { host: "claude-code", id: `old-${i}` },
      project,
      cwd: root,
      at,
    });
  }
  const memory = join(home.root, "memory");
  mkdirSync(memory, { recursive: true });
  for (let i = 0; i < notes; i++) {
    writeFileSync(
      join(memory, `note-${i}.md`),
      `# Note ${i}\n\nAbout [[concept-${i % 300}]] and [[concept-${i % 70}]].\n${"Some words of text. ".repeat(40)}\n`,
    );
  }
  const known = openMemory({ home, env: {}, settings: {} });
  await known.sync();
  known.close();
}
