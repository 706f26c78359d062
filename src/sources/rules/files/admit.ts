import type { RuleFile, Untold } from "./discover.ts";
import { MAX_RULE_BYTES, type RuleLimits } from "./limits.ts";

/**
 * In which order rule files are understood, and which are too many bytes in all: first the user's own folders, then the
 * project's, then what other tools' users have; in each the smallest first, so that a few large files push out no others.
 */
export function admit(
  files: readonly RuleFile[],
  limits: RuleLimits,
): { order: readonly RuleFile[]; untold: readonly Untold[] } {
  const total = (scope: RuleFile["scope"]) =>
    files.reduce((all, file) => all + (file.scope === scope ? bytesOf(file) : 0), 0);
  const ranked = files.map((file) => ({ file, rank: rankOf(file) }));
  const isAll = total("project") <= limits.bytes && total("global") <= limits.bytes;
  ranked.sort((a, b) => a.rank - b.rank || (isAll ? 0 : bytesOf(a.file) - bytesOf(b.file)));
  if (isAll) return { order: ranked.map(({ file }) => file), untold: [] };
  const left = { project: limits.bytes, global: limits.bytes };
  const order: RuleFile[] = [];
  const out: RuleFile[] = [];
  for (const { file } of ranked) {
    const fits = bytesOf(file) <= left[file.scope];
    if (fits) left[file.scope] -= bytesOf(file);
    (fits ? order : out).push(file);
  }
  const [first] = out;
  if (first === undefined) return { order, untold: [] };
  const message = `${out.length} rule files are left out, such as ${first.path}: all together may have ${limits.bytes} bytes`;
  return { order, untold: [{ path: first.path, code: "rules-cut", message }] };
}

/** A file that is too large is refused without being read. */
function bytesOf(file: RuleFile): number {
  return file.size > MAX_RULE_BYTES ? 0 : file.size;
}

function rankOf({ scope, dialect }: RuleFile): number {
  if (scope === "global") return 0;
  return dialect === "continuo" || dialect === "opencode" ? 1 : 2;
}
