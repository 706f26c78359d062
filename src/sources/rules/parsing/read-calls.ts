import { isRecord } from "../../../base/json.ts";
import { nearest } from "../../../base/text.ts";
import { patternProblem } from "../matching/pattern-problem.ts";
import { isSearchable } from "../matching/search-pattern.ts";
import type { CallCheck, Lint, Reaction } from "../rule.ts";
import { meantReaction } from "./meant-reaction.ts";
import { show, toList } from "./values.ts";

type NewCallCheck = Omit<CallCheck, "id">;

/** The checks of any tool call: Continuo's `guard`, and those `hooks` of opencode-rules that only block a call. */
export function readCalls(
  front: Readonly<Record<string, unknown>>,
  rule: { readonly name: string; readonly body: string },
  isFull: () => boolean,
): (NewCallCheck | Lint)[] {
  const message = firstLine(rule.body) || rule.name;
  const read: (NewCallCheck | Lint)[] = [];
  for (const one of listOf(front["guard"])) {
    if (isFull()) return read;
    read.push(readGuard(one, message));
  }
  for (const one of listOf(front["hooks"])) {
    if (isFull()) return read;
    read.push(...readHook(one, message));
  }
  return read;
}

/** `warn` is the former name of `remind`. */
const REACTIONS: Readonly<Record<string, Reaction>> = {
  deny: "deny",
  ask: "ask",
  warn: "remind",
  remind: "remind",
  report: "report",
};

const GUARD_KEYS: readonly string[] = ["action", "tool", "tools", "match", "message"];

function readGuard(one: unknown, message: string): NewCallCheck | Lint {
  if (!isRecord(one)) return lint("guard-shape", "a guard is not a map with action, tool and match");
  const odd = Object.keys(one).find((key) => !GUARD_KEYS.includes(key));
  if (odd !== undefined) {
    const near = odd === "reaction" ? "action" : nearest(odd, [...GUARD_KEYS]);
    const other = near === undefined ? `the keys are ${GUARD_KEYS.join(", ")}` : `did you mean "${near}"?`;
    return lint(
      "guard-shape",
      `a guard has the unknown key "${odd.slice(0, 80)}"`,
      meantReaction(odd, "action") ?? other,
    );
  }
  const { action, match } = one;
  const reaction =
    typeof action === "string" && Object.hasOwn(REACTIONS, action) ? REACTIONS[action] : undefined;
  if (reaction === undefined)
    return lint("guard-shape", "a guard's action is not deny, ask, remind or report");
  const tool = one["tools"] ?? one["tool"];
  if (tool === undefined && match === undefined)
    return lint("guard-shape", "a guard names neither a tool nor a match, so it would match every call");
  return toCheck(reaction, tool ?? "*", match, textOr(one["message"], message));
}

function readHook(one: unknown, message: string): (NewCallCheck | Lint)[] {
  if (!isRecord(one)) return [lint("hook-ignored", "a hook is not a map")];
  const { type, block, run } = one;
  const ran = run === undefined ? [] : [lint("hook-run-ignored", "a hook's run is never executed")];
  if (type !== "PreToolUse") return [...ran, lint("hook-ignored", "a hook's type is not PreToolUse")];
  if (block === true || (typeof block === "string" && block.trim() !== ""))
    return [...ran, toCheck("deny", one["tool"], one["match"], textOr(block, message))];
  return ran.length > 0 ? ran : [lint("hook-ignored", "a hook without block does nothing here")];
}

function toCheck(reaction: Reaction, tool: unknown, match: unknown, message: string): NewCallCheck | Lint {
  const tools = toList(tool ?? null, "scalar") ?? [];
  if (tools.length === 0) return lint("guard-shape", 'a guard\'s tool is not a name, a list of names or "*"');
  if (match === undefined) return { on: "calls", reaction, tools, message };
  if (typeof match === "string" && isSearchable(match))
    return { on: "calls", reaction, tools, pattern: match, message };
  return lint(
    "guard-pattern",
    `a guard's match is ${show(match)}${typeof match === "string" ? `, which ${patternProblem(match)}` : ""}`,
    "give a regular expression without lookaround and back-references, of at most 1000 characters",
  );
}

function lint(code: string, why: string, hint?: string): Lint {
  return {
    code,
    message: `${why}; the ${code.startsWith("guard") ? "check" : "hook"} is left out`,
    ...(hint !== undefined && { hint }),
  };
}

/** A map, or a list of maps. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : fallback;
}

function firstLine(body: string): string {
  return (body.split("\n")[0] ?? "").replace(/^[#>*\-\s]+/, "").slice(0, 300);
}
