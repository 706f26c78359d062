// Writes the output in README.md from real runs on the demonstration's machine: node scripts/readme.ts
// test/docs/readme.test.ts fails if it is not what Continuo prints now.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onDemoMachine, type Shown, WIDTH } from "./readme/run.ts";

export const README = join(import.meta.dirname, "..", "README.md");

/** Each block by the name in its mark, `<!-- output: NAME -->`. */
const BLOCKS: Readonly<Record<string, (shown: Shown) => Promise<string>>> = {
  why: (shown) => typed(shown, ["why"], 8),
  search: (shown) => typed(shown, ["sessions", "search", "undo a broken deploy", "--limit", "1"], 5),
  rule: async ({ world }) => readFileSync(join(world.root, ".continuo/rules/money.md"), "utf8").trimEnd(),
  broken: async (shown) => wrapped(sectionOf("Broken rules", await brokenRule(shown))),
};

/** The page with every block made again. */
export async function withBlocks(page: string): Promise<string> {
  return onDemoMachine(async (shown) => {
    let made = page;
    for (const [name, block] of Object.entries(BLOCKS)) {
      const place = new RegExp(`(<!-- output: ${name} -->\n\`\`\`\\w*\n)[\\s\\S]*?(\n\`\`\`\n)`);
      if (!place.test(made)) throw new Error(`README.md has no place for the output "${name}"`);
      const text = await block(shown);
      made = made.replace(place, (_, begin, end) => `${begin}${text}${end}`);
    }
    return made;
  });
}

/** A command line and what it prints; of a long output the first lines. */
async function typed({ run }: Shown, args: readonly string[], most: number): Promise<string> {
  const line = args.map((arg) => (arg.includes(" ") ? `"${arg}"` : arg)).join(" ");
  const lines = wrapped(await run(args)).split("\n");
  const shown = lines
    .slice(0, most)
    .join("\n")
    .replace(/^\n+|\s+$/g, "");
  return [`$ continuo ${line}`, shown, ...(lines.length > most ? ["…"] : [])].join("\n");
}

/** What Claude Code is given after an edit that breaks the rule money.md. */
async function brokenRule({ run, world }: Shown): Promise<string> {
  const file = join(world.root, "src", "tax", "lines.ts");
  const [before, after] = ["  const part = 0;", "  const part = Math.round(amount / 3);"];
  const answer = await run(
    ["hook", "claude-code", "PostToolUse"],
    JSON.stringify({
      session_id: "00000000-0000-4000-8000-000000000001",
      transcript_path: join(world.env["HOME"] ?? "", "none.jsonl"),
      cwd: world.root,
      permission_mode: "default",
      hook_event_name: "PostToolUse",
      tool_name: "Edit",
      tool_use_id: "toolu_1",
      tool_input: { file_path: file, old_string: before, new_string: after, replace_all: false },
      tool_response: {
        filePath: file,
        oldString: before,
        newString: after,
        originalFile: `${before}\n`,
        structuredPatch: [
          { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${before}`, `+${after}`] },
        ],
      },
    }),
  );
  return JSON.parse(answer).hookSpecificOutput.additionalContext;
}

/** A section of a text for the model, without its heading. */
function sectionOf(title: string, text: string): string {
  const [, section] = new RegExp(`## ${title}\n([\\s\\S]*?)\n(?:## |<)`).exec(text) ?? [];
  if (section === undefined) throw new Error(`there is no section "${title}" in:\n${text}`);
  return section;
}

/** As a terminal of the README's width would show it, but between words. */
function wrapped(text: string): string {
  return text.split("\n").flatMap(wrappedLine).join("\n");
}

function wrappedLine(line: string): string[] {
  if (line.length <= WIDTH) return [line.trimEnd()];
  const at = line.lastIndexOf(" ", WIDTH);
  const indent = /^[\s-]*/.exec(line)?.[0] ?? "";
  if (at <= indent.length) return [line];
  return [line.slice(0, at).trimEnd(), ...wrappedLine(" ".repeat(indent.length) + line.slice(at + 1))];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(README, await withBlocks(readFileSync(README, "utf8")));
