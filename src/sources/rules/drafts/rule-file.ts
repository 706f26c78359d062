import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { wayInside } from "../../../base/inside.ts";
import { fromUtf8 } from "../../../base/text.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { readBytes } from "../../../store/read-file.ts";
import { realPath } from "../../../store/real-path.ts";
import { createFileAtomic, writeFileAtomic } from "../../../store/write-file.ts";
import { MAX_RULE_BYTES } from "../files/limits.ts";
import { FILE_KEYS } from "../parsing/dialects.ts";
import { readFrontmatter, splitFrontmatter } from "../parsing/frontmatter.ts";
import { parseRule } from "../parsing/parse.ts";
import { toList } from "../parsing/values.ts";
import type { Check, Dialect, Lint, Rule } from "../rule.ts";
import { instructionOf } from "./describe.ts";
import { draftsFrom } from "./drafts-from.ts";
import { addCheck, applyEdit, denyEdits, inverse, type TextEdit, yamlOf } from "./edit-frontmatter.ts";
import type { DraftCheck, FileChange } from "./records.ts";

/** Reads and changes the files of rules. Every change is parsed before it is written. */

/** Two hashes, because a single 64-bit one could be forged by the file's author. */
export function hashOf(text: string): string {
  return fingerprint(text) + fingerprint(`again ${text}`);
}

/** Undefined if the file was deleted, is too large or not UTF-8. `within`: links must not lead outside it. */
export function readRuleText(path: string, within?: string): string | undefined {
  if (!existsSync(path)) return undefined;
  return fromUtf8(readBytes(path, { maxBytes: MAX_RULE_BYTES, root: within }));
}

interface Named {
  readonly name: string;
  readonly dialect: Dialect;
}

/**
 * The edit that adds a check and changes nothing else in the rule; `there` if the rule already has it; otherwise the
 * reason why there is no edit.
 */
export async function editFor(
  text: string,
  check: DraftCheck,
  file: Named,
): Promise<TextEdit | Lint | "there" | undefined> {
  const edit = addCheck(text, yamlOf(check));
  if (edit === undefined) return undefined;
  const [before, after] = [await parseRule(text, file), await parseRule(applyEdit(text, edit), file)];
  if (before.kind === "refused" || after.kind === "refused") return undefined;
  const known = new Set(before.lints.map(({ message }) => message));
  const lint = after.lints.find(({ message, code }) => !known.has(message) && code.startsWith("check-"));
  if (lint !== undefined) return lint;
  const ids = new Set(before.rule.checks.map(({ id }) => id));
  if (after.rule.checks.every(({ id }) => ids.has(id))) return "there";
  const isOneMore =
    after.rule.checks.length === ids.size + 1 &&
    before.rule.checks.every(({ id }) => after.rule.checks.some((one) => one.id === id));
  return isOneMore && isSame(before.rule, after.rule) ? edit : undefined;
}

/** The edit after which breaches of this check are refused; undefined if none is safe. */
export async function denyEdit(text: string, check: string, file: Named): Promise<TextEdit | undefined> {
  const before = await parseRule(text, file);
  if (before.kind === "refused") return undefined;
  const wanted = before.rule.checks.map((one) =>
    plain(one.id === check ? { ...one, reaction: "deny" } : one),
  );
  for (const edit of denyEdits(text)) {
    const after = await parseRule(applyEdit(text, edit), file);
    if (after.kind === "refused" || !isSame(before.rule, after.rule)) continue;
    if (JSON.stringify(after.rule.checks.map(plain)) === JSON.stringify(wanted)) return edit;
  }
  return undefined;
}

/** The check without its id, which depends on everything else, with its keys in a fixed order. */
function plain({ id: _, ...check }: Check): unknown {
  return Object.fromEntries(Object.entries(check).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isSame(a: Rule, b: Rule): boolean {
  const rest = ({ name, priority, body, when }: Rule) => JSON.stringify([name, priority, body, when]);
  return rest(a) === rest(b);
}

/**
 * The file to write, with links resolved. A linked rule of a project is refused, because the project's author chose the
 * link's target.
 */
export function writtenFile(path: string, within: string | undefined): string {
  const real = realpathSync.native(path);
  if (within !== undefined && lstatSync(path).isSymbolicLink())
    throw new ContinuoError("rule-is-link", `${path} is a link to ${real}`, {
      hint: "make the rule a file of its own, or change that file yourself",
    });
  return real;
}

export function writeEdit(path: string, text: string, edit: TextEdit): FileChange {
  const after = applyEdit(text, edit);
  writeFileAtomic(path, after);
  return { path, isNew: false, ...edit, hash: hashOf(after) };
}

/** Writes a new rule with the user's own words. Never replaces a file. `within`: links must not lead outside it. */
export function writeNewRule(folder: string, name: string, text: string, within?: string): FileChange {
  // Checked before anything is created: a folder of the project may be a link.
  if (within !== undefined && !wayInside(realPath(within), realPath(folder)))
    throw new ContinuoError("outside-root", `${folder} leads out of the project`, {
      hint: "keep the rule for all projects, or put a folder in the place of the link",
    });
  if (within === undefined) ensureFolder(folder);
  else mkdirSync(folder, { recursive: true });
  // A project's rule is shared. Files in the home are private, which `doctor` checks.
  const mode = within === undefined ? 0o600 : 0o644;
  for (let i = 1; i < MAX_SAME_NAME; i++) {
    const path = join(folder, `${name}${i === 1 ? "" : `-${i}`}.md`);
    if (createFileAtomic(path, text, mode))
      return { path, isNew: true, at: 0, removed: "", inserted: text, hash: hashOf(text) };
  }
  throw new ContinuoError("exists", `${folder} has many rules named ${name} already`);
}

const MAX_SAME_NAME = 100;

/** Reverts a change, unless the file has changed since; returns whether it did. */
export function undoChange(change: FileChange): boolean {
  const text = readRuleText(change.path);
  if (text === undefined || hashOf(text) !== change.hash) return false;
  if (change.isNew) rmSync(change.path);
  else writeFileAtomic(change.path, applyEdit(text, inverse(change)));
  return true;
}

/** The text of a rule for what the user said: an instruction for agents, and the user's own words as a comment. */
export function newRuleText(check: DraftCheck, sentence: string): string {
  const { files, ...rest } = check;
  // The rule applies where the check does, so it gets the check's globs.
  const { group, lines } = yamlOf(rest);
  const include = files?.filter((glob) => !glob.startsWith("!")) ?? [];
  const isOfSome = check.on === "edits" && include.length > 0;
  const own = isOfSome || files === undefined ? lines : yamlOf(check).lines;
  const globs = isOfSome && files !== undefined ? [`globs: ${JSON.stringify(joined(files))}`] : [];
  return [
    "---",
    `# You said: ${sentence}`,
    ...globs,
    "checks:",
    `  ${group}:`,
    ...own.map((line, i) => `    ${i === 0 ? "- " : "  "}${line}`),
    "---",
    "",
    instructionOf(check),
    "",
  ].join("\n");
}

const EXTENSION = /^((?:.*\/)?\*\*\/\*)\.(\w+)$/;

/** The extensions of one language as one glob, because a project may use only some of them. */
function joined(globs: readonly string[]): string[] {
  const found = globs.flatMap((glob) => EXTENSION.exec(glob) ?? []);
  const [, start, one] = found;
  const extensions = found.filter((_, i) => i % 3 === 2);
  const others = globs.filter((glob) => !EXTENSION.test(glob));
  if (start === undefined || one === undefined) return others;
  return [`${start}.${extensions.length === 1 ? one : `{${extensions.join(",")}}`}`, ...others];
}

/** A file name that says what the rule is about. */
export function fileNameOf({ on, literal, before }: DraftCheck): string {
  const [first = "", second = ""] = literal.split("|");
  const text =
    on === "answer"
      ? `never say ${first}`
      : on === "done"
        ? `${first} before done`
        : before !== undefined
          ? `${second} before ${first}`
          : on === "commands"
            ? `never run ${first}`
            : `no ${first}`;
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50)
    .replace(/-+$/, "");
  return name === "no" || name === "" ? "own-check" : name;
}

export const foldersOf = (home: string, root: string) => ({
  everywhere: join(home, "rules"),
  project: join(root, ".continuo", "rules"),
});

/** The globs in a rule's frontmatter, as its author wrote them. */
export async function globsOf(yaml: string | undefined): Promise<string[]> {
  const front = await readFrontmatter(yaml);
  if ("problem" in front) return [];
  return FILE_KEYS.flatMap((key) =>
    front.values[key] === undefined ? [] : (toList(front.values[key], "items") ?? []),
  );
}

/** The rule with the checks that its own sentences suggest. Undefined if there are none. */
export async function suggestedText(
  text: string,
  file: { name: string; dialect: Dialect },
): Promise<string | undefined> {
  const { yaml, body } = splitFrontmatter(text);
  let after = text;
  for (const { check } of draftsFrom(body, { as: "rule", globs: await globsOf(yaml) })) {
    const edit = await editFor(after, check, file);
    if (edit !== undefined && edit !== "there" && !("code" in edit)) after = applyEdit(after, edit);
  }
  return after === text ? undefined : after;
}
