import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { openMemory } from "../../../sources/notes/memory.ts";
import { memorySettings } from "../../../sources/notes/settings.ts";
import { HOOK_LIMITS } from "../../../sources/rules/files/limits.ts";
import { judge } from "../../../sources/rules/judge.ts";
import type { PaletteHit } from "../../api/overview.ts";
import type { Web } from "../web.ts";
import { onceInAWhile } from "./once-in-a-while.ts";

const MOST_OF_A_KIND = 6;
const MOST_WORDS = 8;
const MAX_NAME = 120;
const MAX_AGE_MS = 10_000;

interface RuleName {
  readonly name: string;
  readonly key: string;
}

/**
 * Searches sessions by name, notes by title, rules of this project by name. Reads only indexes, so that every keystroke
 * is answered at once.
 */
export function createPalette(web: Web): (query: string) => Promise<PaletteHit[]> {
  const ruleNames = onceInAWhile(
    web,
    MAX_AGE_MS,
    ({ type }) => type === "rules",
    async () => {
      const { judged } = await judge(web, { directory: web.cwd }, { limits: HOOK_LIMITS, readOnly: false });
      return judged.map(({ rule }): RuleName => ({ name: rule.name, key: rule.file.key }));
    },
  );
  return async (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
    if (words.length === 0) return [];
    // Failures are reported where they belong: the palette shows the other results.
    const found = await Promise.allSettled([
      sessions(web, words),
      notes(web, words),
      rules(ruleNames, words),
    ]);
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  };
}

async function sessions(web: Web, words: readonly string[]): Promise<PaletteHit[]> {
  const library = await web.sessions();
  return library
    .list({ spoken: true, named: words, limit: MOST_OF_A_KIND })
    .map(({ host, id, name, label }) => ({
      kind: "Session",
      title: shown(name),
      ...(label === undefined ? {} : { detail: shown(label) }),
      address: `/sessions/${encodeURIComponent(host)}/${encodeURIComponent(id)}`,
    }));
}

async function notes({ home, env, now }: Web, words: readonly string[]): Promise<PaletteHit[]> {
  const settings = memorySettings(home, env);
  const memory = openMemory({ home, env, now, settings, syncMs: 0, keepsOpen: true });
  try {
    const found = await memory.browse({ order: "recent", offset: 0, limit: MOST_OF_A_KIND, titled: words });
    return found.notes.map(({ uri, title, project }) => ({
      kind: "Note",
      title: shown(title),
      ...(project === undefined ? {} : { detail: shown(project) }),
      // The same address as the page's own links to a note.
      address: `/memory/${encodeURIComponent(uri.replace(/^memory:\/\//, ""))}`,
    }));
  } finally {
    memory.close();
  }
}

async function rules(
  names: () => Promise<readonly RuleName[]>,
  words: readonly string[],
): Promise<PaletteHit[]> {
  return (await names())
    .filter(({ name, key }) => words.every((word) => `${name} ${key}`.toLowerCase().includes(word)))
    .slice(0, MOST_OF_A_KIND)
    .map(({ name, key }) => ({
      kind: "Rule",
      title: shown(name),
      detail: shown(key),
      address: `/rules?rule=${encodeURIComponent(key)}`,
    }));
}

function shown(text: string): string {
  return clip(oneLine(text), MAX_NAME);
}
