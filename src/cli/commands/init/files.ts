import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describeError, isSystemError, systemCode } from "../../../base/errors.ts";
import { readText } from "../../../store/read-file.ts";

/** Files with standing instructions for agents, in the order in which they are read. */
export const INSTRUCTION_FILES = ["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", ".cursorrules"] as const;

/** Far more than an agent would read; the rest is left out. */
const MAX_BYTES = 512 * 1024;

export interface InstructionFile {
  /** Relative to the project. */
  readonly name: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** Each file once, also if one is a link to another. A link out of the project is not followed. */
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
