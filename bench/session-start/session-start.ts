import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "../../src/base/settings.ts";
import type { Section } from "../../src/compose/section.ts";
import { loadHistory } from "../../src/hosts/index.ts";
import type { SourceContext } from "../../src/moments/ports/source.ts";
import { knownProject } from "../../src/moments/project/known-project.ts";
import type { Session } from "../../src/moments/types.ts";
import { openMemory } from "../../src/sources/notes/memory.ts";
import { atPrompt, atStart } from "../../src/sources/notes/ports/memory-answers.ts";
import { MEMORY_SETTINGS } from "../../src/sources/notes/settings.ts";
import type { MemoryOptions } from "../../src/sources/notes/workspace.ts";
import { homeAt } from "../../src/store/home.ts";
import { machine, printTable, quantiles } from "../measure.ts";
import { Generator, noteAt, writeNotes } from "../memory/notes.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 40);
const NOTES = Number(process.argv[3] ?? 10_000);
const PROJECT = "zebrafish";

/** What notes cost a session in process, with the index opened and closed each time as in a hook, and whether an edit is found. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-start-"));
  try {
    const home = homeAt(join(folder, "home"));
    const notes = join(home.root, "memory");
    writeNotes(notes, NOTES);
    for (let i = 0; i < 8; i++) {
      writeFileSync(
        join(notes, `about-${i}.md`),
        `---\nproject: ${PROJECT}\n---\n# About ${i}\n\nOf ${PROJECT}: ${new Generator(NOTES, i).note()}`,
      );
    }
    const { values } = readSettings({}, MEMORY_SETTINGS, {});
    const env = { HOME: join(folder, "user") };
    const given = { home, env, settings: values };
    const first = openMemory(given);
    const [filling] = await timed(() => first.sync());
    first.close();
    console.log(
      `${machine()}\n${NOTES} generated notes, indexed in ${(filling / 1000).toFixed(1)} s. ${ROUNDS} rounds.\n`,
    );

    const context: SourceContext = {
      settings: values,
      history: loadHistory,
      env,
      home: home.root,
      knownProject: () => knownProject(startMoment(folder).project, { home, env }),
      memo: undefined,
      workingSet: [],
      readOnly: false,
      reviewCommand: "continuo review",
      signal: new AbortController().signal,
      deadlineMs: 800,
      report: (code, message) => console.log(`failure: ${code} ${message}`),
    };
    const words = new Generator(NOTES, 7);
    const start = async () => (await atStart(startMoment(folder), context)).sections ?? [];
    const rows = [
      await row("start, pointers", start),
      await row("start, full", async () => {
        const full = { ...context, settings: { ...values, startText: "full" } };
        return (await atStart(startMoment(folder), full)).sections ?? [];
      }),
      await row("prompt of 20 words", () => atPrompt(words.sentence(20), context)),
      await row("start, one note changed before each", () => {
        appendFileSync(join(notes, "about-1.md"), "More.\n");
        return start();
      }),
    ];
    printTable(["moment", "p50 ms", "p95 ms", "CPU p50 ms", "items"], rows);
    await editsFound("one of the newest notes", (i) => join(notes, `about-${i % 8}.md`), given);
    await editsFound("any note", (i) => noteAt(notes, (i * 7919) % NOTES), given);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A note that is changed in place, so that only its own time shows it, and searched at once. */
async function editsFound(
  what: string,
  pathOf: (round: number) => string,
  given: MemoryOptions,
): Promise<void> {
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const word = `edited${i}marker${what.length}`;
    appendFileSync(pathOf(i), `\n${word}\n`);
    const memory = openMemory(given);
    const [took, { total }] = await timed(() => memory.search({ query: word }));
    memory.close();
    times.push(took);
    found += total;
  }
  const [p50 = 0, p95 = 0] = quantiles(times, [0.5, 0.95]);
  console.log(
    `A search right after ${what} was edited in place, with the time box of a tool: ${found} of ${ROUNDS} found it, ` +
      `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms.`,
  );
}

async function row(name: string, work: () => Promise<readonly Section[]>): Promise<(string | number)[]> {
  const times: number[] = [];
  const cpu: number[] = [];
  let items = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const before = process.cpuUsage();
    const [took, sections] = await timed(work);
    const { user, system } = process.cpuUsage(before);
    times.push(took);
    cpu.push((user + system) / 1000);
    items += sections.reduce((sum, section) => sum + section.items.length, 0);
  }
  const [p50 = 0, p95 = 0] = quantiles(times, [0.5, 0.95]);
  const [busy = 0] = quantiles(cpu, [0.5]);
  return [name, p50.toFixed(1), p95.toFixed(1), busy.toFixed(1), (items / ROUNDS).toFixed(1)];
}

function startMoment(root: string) {
  const session: Session = { host: "cli", id: "bench" };
  return {
    name: "start" as const,
    session,
    project: { id: root, root, label: PROJECT },
    cwd: root,
    at: Date.now(),
  };
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const from = performance.now();
  const result = await work();
  return [performance.now() - from, result];
}
