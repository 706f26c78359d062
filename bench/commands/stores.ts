import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../src/sources/notes/memory.ts";
import { type Home, homeAt } from "../../src/store/home.ts";
import { fillStore, indexTranscripts, makeProject, writeTranscripts } from "../hook/store.ts";
import { Generator, writeNotes } from "../memory/notes.ts";

const NOTES = 10_000;
const SESSIONS = 2000;

export interface Store {
  readonly name: string;
  /** The user's home: the transcripts are below it. */
  readonly user: string;
  readonly project: string;
  readonly home: Home;
  /** Words that some notes and sessions have. */
  readonly notesQuery: readonly string[];
  readonly sessionsQuery: readonly string[];
  readonly prompt: string;
}

/** All notes and sessions have the same words: every passage matches. */
export async function equalStore(base: string): Promise<Store> {
  const store = storeAt(base, "equal texts", {
    notesQuery: ["some", "words", "of", "concept"],
    sessionsQuery: ["module", "faster"],
    prompt: "please make concept-12 faster in the text of some words",
  });
  return filled(store, async () => {
    await fillStore(store.home, store.project, SESSIONS, NOTES);
    writeTranscripts(store.user, store.project, SESSIONS);
  });
}

/** Texts as uneven as those of people (`../memory/notes.ts`). */
export async function variedStore(base: string): Promise<Store> {
  const words = topicOf(new Generator(NOTES, 3));
  const store = storeAt(base, "varied texts", {
    notesQuery: words.slice(0, 3),
    sessionsQuery: words.slice(3, 6),
    prompt: `please look at ${words.slice(6, 16).join(" ")} and tell me what is wrong`,
  });
  return filled(store, async () => {
    await fillStore(store.home, store.project, SESSIONS, 0);
    writeNotes(join(store.home.root, "memory"), NOTES);
    const memory = openMemory({ home: store.home, env: {}, settings: {} });
    await memory.sync();
    memory.close();
    writeVariedTranscripts(store);
  });
}

function storeAt(
  base: string,
  name: string,
  queries: Pick<Store, "notesQuery" | "sessionsQuery" | "prompt">,
): Store {
  const user = join(base, name.replace(" ", "-"));
  return { name, user, project: join(user, "project"), home: homeAt(join(user, "filled")), ...queries };
}

/** A store that an earlier run filled is used again. */
async function filled(store: Store, fill: () => Promise<void>): Promise<Store> {
  const done = join(store.user, "filled.txt");
  if (existsSync(done)) return store;
  console.error(`filling a store with ${SESSIONS} sessions and ${NOTES} notes (${store.name})…`);
  makeProject(store.project);
  await fill();
  await indexTranscripts(store.home, store.user);
  writeFileSync(done, "");
  return store;
}

/** Words in the middle of the vocabulary, each once: neither in all notes nor in none. */
function topicOf(generator: Generator): string[] {
  const words = Array.from({ length: 200 }, () => generator.word()).filter((word) => word.length > 5);
  return [...new Set(words)];
}

const TURNS = 40;

function writeVariedTranscripts({ user, project }: Store): void {
  const folder = join(user, ".claude", "projects", project.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const generator = new Generator(NOTES, 7);
  for (let i = 0; i < SESSIONS; i++) {
    generator.note(); // another topic
    const at = Date.now() - (SESSIONS - i) * 60_000;
    const path = join(folder, `past-${i}.jsonl`);
    const lines = Array.from({ length: TURNS }, (_, turn) => lineOf(generator, project, i, turn, at));
    writeFileSync(path, lines.join(""));
    utimesSync(path, at / 1000, at / 1000);
  }
}

function lineOf(generator: Generator, cwd: string, session: number, turn: number, at: number): string {
  const role = turn % 2 === 0 ? "user" : "assistant";
  const sentences = Array.from({ length: role === "user" ? 1 : 8 }, () => `${generator.sentence(14)}.`);
  const entry = {
    type: role,
    uuid: `past-${session}-${turn}`,
    sessionId: `past-${session}`,
    cwd,
    gitBranch: "main",
    timestamp: new Date(at - (TURNS - turn) * 1000).toISOString(),
    message: {
      role,
      content: [{ type: "text", text: sentences.join(" ") }],
      ...(role === "assistant" && { id: `m-${turn}`, model: "m" }),
    },
  };
  return `${JSON.stringify(entry)}\n`;
}
