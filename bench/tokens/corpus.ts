/**
 * Text for fitting and measuring the token estimate: documents of many kinds, split 60/40 by file into train
 * and held out, cut into chunks of four sizes. Everything is drawn with a fixed seed.
 *
 * Read from: CONTINUO_BENCH_DATA (default ../shared/bench next to the repository), this repository's
 * node_modules, and CONTINUO_TOKEN_TEXT, an optional folder with one sub-folder per kind (see text.ts).
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

export interface Doc {
  kind: string;
  /** The file it came from: all text of one file lands on the same side of the split. */
  source: string;
  text: string;
  held: boolean;
}

export interface Chunk {
  kind: string;
  size: number;
  text: string;
  held: boolean;
}

export const SIZES = [100, 400, 1500, 6000];
const TRAIN_SHARE = 0.6;
const CHUNKS_PER_KIND_AND_SIZE = 80;
const MAX_DOC = 60_000;

const root = resolve(import.meta.dirname, "../..");
const benchData = resolve(root, process.env["CONTINUO_BENCH_DATA"] ?? "../shared/bench");
const extraText = process.env["CONTINUO_TOKEN_TEXT"];

/** All documents, or undefined when the bench data is not on this machine. */
export function documents(): Doc[] | undefined {
  if (!existsSync(benchData)) return undefined;
  const found: Omit<Doc, "held">[] = [];
  const add = (kind: string, source: string, text: string): void => {
    for (let at = 0; at < text.length; at += MAX_DOC) {
      found.push({ kind, source, text: text.slice(at, at + MAX_DOC).toWellFormed() });
    }
  };
  addBenchData(add);
  addNodeModules(add);
  addHashes(add);
  if (extraText) {
    for (const kind of readdirSync(extraText)) {
      for (const file of walk(join(extraText, kind))) add(kind, file, readFileSync(file, "utf8"));
    }
  }
  return split(found);
}

type Add = (kind: string, source: string, text: string) => void;

function addBenchData(add: Add): void {
  for (const file of [...walk(join(benchData, "rules")), ...walk(join(benchData, "vaults"))]) {
    if (/\.(md|mdc|org)$/.test(file)) add("markdown", file, readFileSync(file, "utf8"));
  }
  for (const file of walk(join(benchData, "transcripts"))) {
    const raw = readFileSync(file, "utf8");
    add("jsonl", file, raw.slice(0, 400_000));
    const strings = raw.split("\n").flatMap((line) => longStrings(parse(line)));
    add("transcript", file, strings.join("\n").slice(0, 400_000));
  }
  const sessions = join(benchData, "coding-sessions/sessions-dev.jsonl.gz");
  if (existsSync(sessions)) {
    for (const line of gunzipSync(readFileSync(sessions)).toString("utf8").split("\n")) {
      const session = parse(line) as { session_id: string; messages: string[][] } | undefined;
      if (session) add("session", session.session_id, session.messages.map((m) => m[2] ?? "").join("\n\n"));
    }
  }
  const beam = join(benchData, "beam/beam-100k-dev.json.gz");
  if (existsSync(beam)) {
    const chats = parse(gunzipSync(readFileSync(beam)).toString("utf8")) as {
      chat: string;
      messages: unknown;
    }[];
    for (const chat of chats) add("chat", chat.chat, longStrings(chat.messages).join("\n\n"));
  }
  const locomo = join(benchData, "locomo/locomo-dev.json");
  if (existsSync(locomo)) {
    for (const talk of parse(readFileSync(locomo, "utf8")) as { sample_id: string }[]) {
      add("chat", talk.sample_id, longStrings(talk).join("\n"));
    }
  }
}

function addNodeModules(add: Add): void {
  for (const file of walk(join(root, "node_modules"))) {
    if (statSync(file).size > 1_000_000) continue;
    // A tokenizer's vocabulary is data about tokens, not text anyone would put in a context.
    if (file.includes("gpt-tokenizer") && !file.endsWith(".md")) continue;
    const kind = /\.d\.[cm]?ts$/.test(file)
      ? "dts"
      : /\.[cm]?js$/.test(file)
        ? "js"
        : /\.json$/.test(file)
          ? "json"
          : /\.md$/.test(file)
            ? "markdown"
            : undefined;
    if (kind) add(kind, file, readFileSync(file, "utf8"));
  }
}

/** Digests and ids: the densest text that real contexts hold (lock files, commit lists, uuids). */
function addHashes(add: Add): void {
  for (let doc = 0; doc < 20; doc++) {
    const lines: string[] = [];
    for (let i = 0; i < 150; i++) {
      const digest = createHash("sha512").update(`${doc}:${i}`).digest();
      const hex = digest.toString("hex");
      const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      const forms = [
        hex.slice(0, 40),
        hex.slice(0, 7),
        `sha512-${digest.toString("base64")}`,
        uuid,
        `"id": "${uuid}",`,
      ];
      lines.push(forms[doc % forms.length]!);
    }
    add("hashes", `hashes ${doc}`, lines.join("\n"));
  }
}

function split(found: Omit<Doc, "held">[]): Doc[] {
  const held = new Set<string>();
  for (const [kind, docs] of groupBy(found, (d) => d.kind)) {
    const sources = shuffle([...new Set(docs.map((d) => d.source))].sort(), random(kind));
    for (const source of sources.slice(Math.round(sources.length * TRAIN_SHARE)))
      held.add(`${kind}\n${source}`);
  }
  return found.map((d) => ({ ...d, held: held.has(`${d.kind}\n${d.source}`) }));
}

/** Chunks of every kind and size, 60 % from train files and 40 % from held-out files. */
export function chunks(docs: Doc[]): Chunk[] {
  const out: Chunk[] = [];
  for (const [kind, ofKind] of groupBy(docs, (d) => d.kind)) {
    for (const held of [false, true]) {
      const sources = [
        ...groupBy(
          ofKind.filter((d) => d.held === held),
          (d) => d.source,
        ).values(),
      ];
      for (const size of SIZES) {
        const next = random(`${kind} ${held} ${size}`);
        const usable = sources.map((s) => s.filter((d) => d.text.length >= size)).filter((s) => s.length > 0);
        const count = CHUNKS_PER_KIND_AND_SIZE * (held ? 1 - TRAIN_SHARE : TRAIN_SHARE);
        for (let i = 0; i < count && usable.length > 0; i++) {
          const docs = pick(usable, next);
          out.push({ kind, size, held, text: cut(pick(docs, next).text, size, next) });
        }
      }
    }
  }
  return out;
}

/** A piece of about `size` characters that starts at a line (or failing that a word) and does not split a pair. */
function cut(text: string, size: number, next: () => number): string {
  let start = Math.floor(next() * (text.length - size + 1));
  if (start > 0) {
    const line = text.indexOf("\n", start - 1) + 1;
    const word = text.indexOf(" ", start - 1) + 1;
    if (line > 0 && line - start < 200) start = line;
    else if (word > 0 && word - start < 40) start = word;
  }
  start = Math.min(start, text.length - size);
  return text.slice(start, start + size).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}

function* walk(dir: string): Generator<string> {
  if (!existsSync(dir)) return;
  for (const entry of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile() && basename(path) !== ".package-lock.json") yield path;
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function longStrings(value: unknown): string[] {
  if (typeof value === "string") return value.length >= 40 ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(longStrings);
}

export function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  return Map.groupBy(items, key);
}

function pick<T>(items: T[], next: () => number): T {
  return items[Math.floor(next() * items.length)]!;
}

function shuffle<T>(items: T[], next: () => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}

/** mulberry32 seeded from a name, so that adding a kind does not move the draw of another. */
function random(name: string): () => number {
  let state = createHash("sha1").update(name).digest().readInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
