import { isRecord } from "../../base/json.ts";
import { stricter } from "../../moments/guards.ts";
import type { Verdict } from "../../moments/ports/source.ts";
import type { ToolCall } from "../../moments/types.ts";
import { type Budget, toFinder } from "./matching/linear-regex.ts";
import { show, toList } from "./parsing/values.ts";
import type { Guard, Lint, Rule } from "./rule.ts";

/** Longer than the arguments of any honest call. Longer ones are not searched, and the user is asked. */
const MAX_ARGUMENTS = 2_000_000;

/** For all guards of a call together: a few tenths of a second. Enough for forty guards to search a megabyte. */
const MAX_STEPS = 40_000_000;
/** The most steps that compiling one character of a pattern takes. */
const COMPILING = 100;

/** The strictest verdict of all guards on a tool call, not yet escaped. Nothing in a rule file is ever run. */
export function strictestVerdict(
  rules: readonly Pick<Rule, "name" | "guards">[],
  tool: ToolCall,
): Verdict | undefined {
  const args = JSON.stringify(tool.input);
  const budget: Budget = { left: MAX_STEPS };
  let strictest: Verdict | undefined;
  for (const rule of rules) {
    for (const guard of rule.guards) {
      const matches = isMatch(guard, tool.name, args, budget);
      if (matches === false) continue;
      const isUnknown = matches === "unknown";
      if (!isUnknown && guard.action === "warn") continue; // nothing is refused
      const message = `${guard.message} (rule "${rule.name}"${isUnknown ? "; the call is too long to be checked" : ""})`;
      strictest = stricter(strictest, {
        action: guard.action === "deny" && !isUnknown ? "deny" : "ask",
        message,
      });
    }
  }
  return strictest;
}

function isMatch(guard: Guard, tool: string, args: string, budget: Budget): boolean | "unknown" {
  if (!guard.tools.some((name) => name === "*" || isSameTool(name, tool))) return false;
  if (guard.pattern === undefined) return true;
  if (args.length > MAX_ARGUMENTS || budget.left <= 0) return "unknown";
  // JavaScript's engine could hang on an ordinary pattern and long arguments.
  budget.left -= guard.pattern.length * COMPILING;
  return toFinder(guard.pattern)?.(args, budget) ?? false;
}

/** A few lines of YAML can repeat a guard thousands of times. */
const MAX_GUARDS = 50;

/** The cost of parsing a guard, in characters of compiled patterns: its pattern is compiled once. */
export const GUARD_COST = 5000;

/**
 * The guards of a rule: Continuo's `guard`, and those `hooks` of opencode-rules that only block a call. A guard that
 * cannot be parsed is left out with a lint and never widened; the rule's text stays.
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
      message: `there are more than ${MAX_GUARDS} guards; the others are left out`,
    });
  return { guards: read.filter(isGuard), lints: read.filter((one): one is Lint => !isGuard(one)) };
}

function readGuard(one: unknown, message: string): Guard | Lint {
  if (!isRecord(one)) return lint("guard-shape", "a guard is not a map with action, tool and match");
  const odd = Object.keys(one).find((key) => !["action", "tool", "tools", "match", "message"].includes(key));
  if (odd !== undefined) return lint("guard-shape", `a guard has the unknown key "${odd}"`);
  const { action, match } = one;
  if (action !== "deny" && action !== "ask" && action !== "warn")
    return lint("guard-shape", "a guard's action is not deny, ask or warn");
  const tool = one["tools"] ?? one["tool"];
  if (tool === undefined && match === undefined)
    return lint("guard-shape", "a guard names neither a tool nor a match, so it would match every call");
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
  if (tools.length === 0) return lint("guard-shape", 'a guard\'s tool is not a name, a list of names or "*"');
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

/** Rule files are shared between hosts: a tool that is `Bash` in one host is `bash` in another. */
export function isSameTool(written: string, called: string | undefined): boolean {
  return written.toLowerCase() === called?.toLowerCase();
}

/** For a tool of an MCP server, the name of the server as rules write it: `mcp_<server>`. */
export function serverOf(tool: string): string | undefined {
  const server = /^mcp__(.+?)__/.exec(tool)?.[1];
  return server === undefined ? undefined : `mcp_${server.replace(/[^a-zA-Z0-9_-]/g, "_")}`;
}
