import { isRecord } from "../../base/settings.ts";
import { show, toList } from "./matching/keywords.ts";
import { toFinder } from "./matching/linear-regex.ts";
import type { Guard, Lint } from "./rule.ts";

/** A few lines of YAML can name the same guard thousands of times. */
const MAX_GUARDS = 50;

/** What understanding one may take, in characters of compiled patterns: it is read as a regular expression. */
export const GUARD_COST = 5000;

/**
 * The checks of a rule: Continuo's `guard`, and what can be kept of the `hooks` of opencode-rules. One that is not
 * understood is left out with a lint, never widened; the rule's text stays.
 */
export function readGuards(
  front: Readonly<Record<string, unknown>>,
  rule: { readonly name: string; readonly body: string },
): { guards: Guard[]; lints: Lint[] } {
  const message = firstLine(rule.body) || rule.name;
  const [guards, hooks] = [listOf(front["guard"]), listOf(front["hooks"])];
  const read = [
    ...guards.slice(0, MAX_GUARDS).map((one) => readGuard(one, message)),
    ...hooks.slice(0, MAX_GUARDS).flatMap((one) => readHook(one, message)),
  ];
  if (guards.length > MAX_GUARDS || hooks.length > MAX_GUARDS)
    read.push({
      code: "guard-shape",
      message: `there are more than ${MAX_GUARDS} guards; the rest is left out`,
    });
  return { guards: read.filter(isGuard), lints: read.filter((one): one is Lint => !isGuard(one)) };
}

function readGuard(one: unknown, message: string): Guard | Lint {
  if (!isRecord(one)) return lint("guard-shape", "a guard is not a map with action, tool and match");
  const odd = Object.keys(one).find((key) => !["action", "tool", "tools", "match", "message"].includes(key));
  if (odd !== undefined) return lint("guard-shape", `a guard has the unknown key "${odd}"`);
  const { action, match } = one;
  if (action !== "deny" && action !== "ask" && action !== "warn")
    return lint("guard-shape", "a guard's action is none of deny, ask, warn");
  const tool = one["tools"] ?? one["tool"];
  if (tool === undefined && match === undefined)
    return lint("guard-shape", "a guard names neither a tool nor a match, so it would meet every call");
  return toGuard(action, tool ?? "*", match, textOr(one["message"], message));
}

function readHook(one: unknown, message: string): (Guard | Lint)[] {
  if (!isRecord(one)) return [lint("hook-ignored", "a hook is not a map")];
  const { type, block, run } = one;
  const ran = run === undefined ? [] : [lint("hook-run-ignored", "a hook's run is never executed")];
  if (type !== "PreToolUse") return [...ran, lint("hook-ignored", "a hook's type is not PreToolUse")];
  if (block === true || (typeof block === "string" && block.trim() !== ""))
    return [...ran, toGuard("deny", one["tool"], one["match"], textOr(block, message))];
  return ran.length > 0 ? ran : [lint("hook-ignored", "a hook without block does nothing here")];
}

function toGuard(action: Guard["action"], tool: unknown, match: unknown, message: string): Guard | Lint {
  const tools = toList(tool ?? null, "scalar") ?? [];
  if (tools.length === 0) return lint("guard-shape", 'a guard\'s tool is no name, list of names or "*"');
  if (match === undefined) return { action, tools, message };
  if (typeof match === "string" && match !== "" && toFinder(match) !== undefined)
    return { action, tools, pattern: match, message };
  return lint(
    "guard-pattern",
    `a guard's match is ${show(match)}`,
    "give a regular expression without lookaround and back-references, of at most 1000 characters",
  );
}

function isGuard(one: Guard | Lint): one is Guard {
  return "action" in one;
}

function lint(code: string, why: string, hint?: string): Lint {
  return { code, message: `${why}; it is left out`, ...(hint !== undefined && { hint }) };
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : fallback;
}

function firstLine(body: string): string {
  return (body.split("\n")[0] ?? "").replace(/^[#>*\-\s]+/, "").slice(0, 300);
}
