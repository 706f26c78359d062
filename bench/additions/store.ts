import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { typed } from "../../src/base/settings.ts";
import { openMemory } from "../../src/sources/notes/memory.ts";
import { notesFor } from "../../src/sources/notes/ports/additions.ts";
import type { SeenFrom } from "../../src/sources/notes/search/project-notes.ts";
import { MEMORY_SETTINGS } from "../../src/sources/notes/settings.ts";
import { homeAt } from "../../src/store/home.ts";
import { meaning } from "../retrieval/ours.ts";

export interface StoredNote {
  readonly id: string;
  readonly project?: string;
  readonly title?: string;
  readonly text: string;
}

/** Notes as files, asked as the hook asks. */
export interface Store {
  /** The ids of the notes that the prompt would get in this project. */
  added(prompt: string, project: string): Promise<string[]>;
  /** The ids of the first three notes that a search finds, asked from this project or from none. */
  firstThree(query: string, project: string | undefined): Promise<string[]>;
  close(): void;
}

export async function storeOf(notes: readonly StoredNote[]): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-additions-"));
  const root = join(folder, "notes");
  mkdirSync(root);
  for (const [at, { project, title = "", text }] of notes.entries()) {
    const keys = [
      `title: ${JSON.stringify(title)}`,
      ...(project === undefined ? [] : [`project: ${JSON.stringify(project)}`]),
    ];
    writeFileSync(join(root, `${at}.md`), `---\n${keys.join("\n")}\n---\n${text}\n`);
  }
  const memory = openMemory({
    home: homeAt(join(folder, "home")),
    env: {},
    settings: { ...typed(MEMORY_SETTINGS, {}), root },
    isHook: true,
    syncMs: 0,
    meaning,
  });
  await memory.sync();
  return {
    added: async (prompt, project) =>
      (await notesFor(memory, prompt, seenAs(project))).map(
        ({ uri }) => notes[Number(basename(uri))]?.id ?? "",
      ),
    async firstThree(query, project) {
      const seen = project === undefined ? {} : { seenFrom: seenAs(project) };
      const { hits } = await memory.search({ query, pageSize: 3, ...seen });
      return hits.map(({ uri }) => notes[Number(basename(uri))]?.id ?? "");
    },
    close() {
      memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A project that is known by its name alone. */
export function seenAs(name: string): SeenFrom {
  return { name, names: [name], identities: [`/nowhere/${name}`], root: `/nowhere/${name}`, env: {} };
}
