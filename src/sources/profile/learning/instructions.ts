import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describeError, isSystemError, systemCode } from "../../../base/errors.ts";
import { collapse } from "../../../base/text.ts";
import { textBlocks } from "../../../markdown/text-blocks.ts";
import { readText } from "../../../store/read-file.ts";

/** A sentence in a file that tells the agent how to work. */
interface Instruction {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/** A longer text explains something; a learning also has at most this many characters. */
const MAX_LENGTH = 300;
const LEAST_LENGTH = 12;
/** If a file has more, the user decides on the first ones first. */
const MAX_FOUND = 200;

/** Below these headings a file describes rather than instructs. */
const DESCRIBES =
  /\b(?:examples?|licen[cs]e|changelog|contents|overview|structure|layout|architecture|background|glossary|links?|references?)\b/i;
const VERBS =
  "use|prefer|avoid|run|write|keep|add|put|follow|name|test|commit|ask|check|format|read|update|create|place|import|export|return|throw|handle|document|leave|do|make|ensure|include|remove|delete|stop|start|call|define|declare|treat|validate|log|limit|group|sort|order|separate|split|wrap|escape|quote|pin|lock|cache|mock|stub|assert|review|explain|answer|respond|reply|say|show|never|always|only|don['’]t|don[`]t|no";
/** "Use pnpm", "Never push to main", "When you are done, run the tests". */
const IMPERATIVE = new RegExp(
  `^(?:please\\s+|(?:when|if|before|after)\\b[^,]{3,80},\\s*)?(?:${VERBS})\\b`,
  "i",
);
/** "Tests must not sleep", "All prices are always in cents"; for other languages the most common words. */
const MODAL =
  /\b(?:always|never|must|should|shall|do not|don['’]t|cannot|forbidden|required|not allowed|instead of|make sure|immer|nie|niemals|muss|müssen|darf|dürfen|toujours|jamais|ne pas|doit|siempre|nunca|debe|sempre|deve)\b|必ず|禁止|不要|总是|必须|切勿/iu;

/**
 * The standing instructions of a Markdown file: list items and sentences that say what to do. Skips code, quotes,
 * tables and headings. The results are only data, and the user decides on each.
 */
export function instructionsIn(text: string): Instruction[] {
  const found: Instruction[] = [];
  let describes = false;
  // Someone else's words, or an example.
  for (const block of textBlocks(text.replace(/^[ \t]{0,20}>.*$/gm, ""))) {
    if (found.length >= MAX_FOUND) break;
    if (block.kind === "heading") {
      describes = DESCRIBES.test(block.text);
      continue;
    }
    if (describes || /^\s*\|/.test(block.text)) continue;
    for (const sentence of partsOf(block.text, block.depth > 0)) {
      const plain = withoutMarkup(sentence);
      if (isInstruction(plain)) found.push({ text: plain, line: block.from + 1 });
    }
  }
  return found.slice(0, MAX_FOUND);
}

/** A list item is one instruction with its reasons, unless it is too long. */
function partsOf(text: string, isItem: boolean): string[] {
  if (isItem && text.length <= MAX_LENGTH) return [text];
  // Nobody writes longer paragraphs by hand.
  return text.slice(0, 20_000).split(/(?<=[.!?])\s+(?=\p{Lu})|\n(?=\p{Lu})/u);
}

function isInstruction(text: string): boolean {
  if (text.length < LEAST_LENGTH || text.length > MAX_LENGTH) return false;
  if (/[:?]$/.test(text) || !/\s/.test(text) || text.startsWith("@")) return false;
  return IMPERATIVE.test(text) || MODAL.test(text);
}

function withoutMarkup(text: string): string {
  return collapse(text)
    .replace(/^\[[ xX]\]\s+/, "")
    .replace(/!?\[([^\]]{1,200})\]\([^)]{0,500}\)/g, "$1")
    .replace(/(\*\*|__)(?=\S)(.{1,300}?)\1/g, "$2")
    .trim();
}

/** Files with standing instructions for agents, in the order in which they are read. */
export const INSTRUCTION_FILES = ["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", ".cursorrules"] as const;

/** Far more than an agent would read; the rest is ignored. */
const MAX_BYTES = 512 * 1024;

interface InstructionFile {
  /** The path relative to the project. */
  readonly name: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** Each file once, even if one is a link to another. A link out of the project is not followed. */
export function readInstructionFiles(root: string): {
  readonly files: readonly InstructionFile[];
  readonly problems: readonly string[];
} {
  const files: InstructionFile[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const name of INSTRUCTION_FILES) {
    const path = join(root, name);
    try {
      const real = realpathSync.native(path);
      if (seen.has(real)) continue;
      seen.add(real);
      const text = readText(path, { maxBytes: MAX_BYTES, root, cut: true });
      files.push({ name, text, isCut: Buffer.byteLength(text) >= MAX_BYTES });
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (!/^(ENOENT|ENOTDIR)$/.test(systemCode(error) ?? ""))
        problems.push(`${name} is not read: ${describeError(error).message}`);
    }
  }
  return { files, problems };
}
