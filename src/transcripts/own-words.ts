/** A prompt, taken apart into what a person wrote and what they pasted or quoted into it. */
export interface Words {
  readonly own: string;
  readonly quoted: readonly string[];
}

/** Longer runs of lines that no one types are pasted: logs, traces, listings. */
const PASTED_LINES = 12;

const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;
/** Blocks that editors and hosts put around what they attach. */
const ATTACHED =
  /<(file|files|document|document_content|attachment|pasted_content|selection|ide_selection|ide_opened_file|diff)(?=[\s>])[^>]*>[\s\S]*?<\/\1>/gi;
const QUOTED = /(?:^[ \t]*>[^\n]*(?:\n|$))+/gm;

/** For a prompt's text, from which injected blocks are out already. */
export function wordsOf(text: string): Words {
  const quoted: string[] = [];
  const take = (block: string): string => {
    quoted.push(block.trim());
    return "\n";
  };
  const rest = text.replace(ATTACHED, take).replace(FENCED, take).replace(QUOTED, take);
  const own = rest
    .split(/\n{2,}/)
    .map((paragraph) => (isPasted(paragraph) ? take(paragraph) : paragraph))
    .join("\n\n");
  return { own: own.replace(/\n{3,}/g, "\n\n").trim(), quoted };
}

/** A long paragraph in which most lines look like a machine's. */
function isPasted(paragraph: string): boolean {
  const lines = paragraph.split("\n");
  if (lines.length < PASTED_LINES) return false;
  const made = lines.filter((line) => MACHINE_LINE.test(line)).length;
  return made * 2 > lines.length;
}

/** Indented, a time or level first, a stack frame, a diff's sign, a prompt, or code's punctuation last. */
const MACHINE_LINE =
  /^(?:\s{2,}\S|\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b|at \S+ ?\(|[+-]{1,3}(?:\s|\S)|@@ |\$ |[│├└┌|])|[{};,)]\s*$/;
