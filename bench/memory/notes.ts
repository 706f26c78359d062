import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NOTES_PER_FOLDER = 200;
const SHIFT = 30;
const TOPIC_SIZE = 20;
const SYLLABLES =
  "ba be bi co cu da de do fe fi ga go ha in ka le li ma me mi na no or pa pe ra re ri sa se so ta te ti to un va ve wi".split(
    " ",
  );
const SMALL =
  "the of and to in a is that for it on with as are this be by from or an not we can which if when".split(
    " ",
  );

/**
 * Text as uneven as that of people. Two fifths of the words are stop words. The others follow Zipf's law over a vocabulary
 * that grows with the store, but half of a note's words are from its topic: as in the benchmark's real texts, three fifths
 * of a note's terms are distinct. Some are names (`fooBar`), some link to concepts.
 */
export class Generator {
  private state: number;
  private topic: string[] = [];
  private readonly vocabulary: number;

  constructor(notes: number, seed = 1) {
    this.vocabulary = Math.round(400 * Math.sqrt(notes * 3));
    this.state = seed;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** Zipf's law with Mandelbrot's shift: without stop words, even the most common word is at most 1 in 200. */
  private rank(size: number): number {
    return Math.floor(SHIFT * ((size + SHIFT) / SHIFT) ** this.next() - SHIFT);
  }

  word(): string {
    const topical = this.topic[Math.floor(this.next() * 2 * TOPIC_SIZE)];
    return topical ?? nameOf(this.rank(this.vocabulary));
  }

  /** Names and concepts are few and recur: a word is always paired with the same other word. */
  private pair(join: (a: string, b: string) => string): string {
    const n = this.rank(this.vocabulary / 4);
    return join(nameOf(n), nameOf((n * 31 + 5) % this.vocabulary));
  }

  sentence(words: number): string {
    const parts: string[] = [];
    for (let i = 0; i < words; i++) {
      const kind = this.next();
      if (kind < 0.4) parts.push(SMALL[Math.floor(this.next() * SMALL.length)] ?? "the");
      else if (kind < 0.43) parts.push(this.pair((a, b) => `${a}${capital(b)}`));
      else if (kind < 0.45) parts.push(this.pair((a, b) => `[[${a} ${b}]]`));
      else parts.push(this.word());
    }
    return parts.join(" ");
  }

  note(): string {
    this.topic = [];
    this.topic = Array.from({ length: TOPIC_SIZE }, () => this.word());
    const lines = [`# ${capital(this.sentence(4))}`];
    for (let length = 0, wanted = 400 + this.next() ** 2 * 4000; length < wanted; ) {
      const line = `${capital(this.sentence(8 + Math.floor(this.next() * 12)))}.`;
      length += line.length;
      lines.push(line);
    }
    return `---\ntags: [${this.word()}, ${this.word()}]\n---\n${lines.join("\n")}\n`;
  }
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The n-th word of the vocabulary. Common words are short. */
function nameOf(n: number): string {
  let word = "";
  for (let rest = n + SYLLABLES.length ** 2; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

/** Writes notes that look a month old and returns their size in bytes. */
export function writeNotes(root: string, count: number): number {
  const generator = new Generator(count);
  const month = Date.now() / 1000 - 30 * 86_400;
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    const folder = join(root, `f${Math.floor(i / NOTES_PER_FOLDER)}`);
    if (i % NOTES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const text = generator.note();
    bytes += text.length;
    writeFileSync(noteAt(root, i), text);
    utimesSync(noteAt(root, i), month, month);
    if (i % NOTES_PER_FOLDER === NOTES_PER_FOLDER - 1 || i === count - 1) utimesSync(folder, month, month);
  }
  utimesSync(root, month, month);
  return bytes;
}

export const noteAt = (root: string, i: number): string =>
  join(root, `f${Math.floor(i / NOTES_PER_FOLDER)}`, `note-${i}.md`);
