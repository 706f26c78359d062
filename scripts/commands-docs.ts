// Writes docs/commands.md from the declarations of the commands: node scripts/commands-docs.ts
// A test compares the file with what this writes (test/docs/manual.test.ts).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAllCommands } from "../src/cli/commands/index.ts";
import { commandsPage } from "../src/cli/manual/as-markdown.ts";

const file = join(import.meta.dirname, "..", "docs", "commands.md");
writeFileSync(file, commandsPage(await loadAllCommands()));
process.stdout.write(`${file}\n`);
