/** A prompt, split into what the user wrote and what they pasted or quoted. */
interface Words {
  readonly own: string;
  readonly quoted: readonly string[];
}

/** A run of at least this many machine-like lines counts as pasted: logs, traces, listings. */
const PASTED_LINES = 12;

type Kind = "own" | "fenced" | "attached" | "quoted" | "blank";

/** Expects a prompt without injected blocks. Works line by line, so that the time is linear for any text. */
export function wordsOf(text: string): Words {
  const own: string[] = [];
  const quoted: string[] = [];
  for (const { kind, lines } of blocksOf(text.split("\n"))) {
    const isQuoted = kind === "fenced" || kind === "attached" || kind === "quoted" || isPasted(lines);
    (isQuoted ? quoted : own).push(lines.join("\n"));
    if (isQuoted) own.push("");
  }
  return {
    own: own
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    quoted,
  };
}

interface Block {
  readonly kind: Kind;
  readonly lines: string[];
}

/** Groups adjacent lines of one kind. A fence or an attachment continues to its closing line. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let isClosed: ((line: string) => boolean) | undefined;
  for (const line of lines) {
    const last = blocks.at(-1);
    if (isClosed !== undefined && last !== undefined) {
      last.lines.push(line);
      if (isClosed(line)) isClosed = undefined;
      continue;
    }
    const { kind, closed } = kindOf(line);
    isClosed = closed;
    // Each fence and each attachment is a separate block.
    if (last?.kind === kind && (kind === "own" || kind === "quoted" || kind === "blank"))
      last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return blocks;
}

/** Tags that editors and hosts put around attachments, on separate lines. */
const ATTACHED =
  /^\s*<(file|files|document|document_content|attachment|pasted_content|selection|ide_selection|ide_opened_file|diff)(?=[\s>])/i;

function kindOf(line: string): { kind: Kind; closed?: (line: string) => boolean } {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence !== undefined) return { kind: "fenced", closed: (next) => next.trim().startsWith(fence) };
  const tag = ATTACHED.exec(line)?.[1];
  if (tag !== undefined) {
    const end = `</${tag.toLowerCase()}>`;
    const closed = (next: string) => next.toLowerCase().includes(end);
    return closed(line) ? { kind: "attached" } : { kind: "attached", closed };
  }
  if (/^\s*>/.test(line)) return { kind: "quoted" };
  return { kind: line.trim() === "" ? "blank" : "own" };
}

/** A long paragraph in which most lines look machine-made. */
function isPasted(lines: readonly string[]): boolean {
  if (lines.length < PASTED_LINES) return false;
  return lines.filter((line) => MACHINE_LINE.test(line)).length * 2 > lines.length;
}

/**
 * A line that is indented, begins with a time, a log level, a stack frame, a diff marker or a shell prompt, or ends like
 * code.
 */
const MACHINE_LINE =
  /^(?:\s{2,}\S|\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b|at \S+ ?\(|[+-]{1,3}\S|@@ |\$ |[│├└┌|])|[{};,)]\s?$/;
