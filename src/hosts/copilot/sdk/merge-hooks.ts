import { isRecord } from "../../../base/json.ts";

type Output = Record<string, unknown>;
type AnyHook = (input: unknown, invocation: unknown) => unknown;

/** Least strict first. */
const DECISIONS: readonly unknown[] = ["allow", "ask", "deny"];

/**
 * Merges two sets of hooks. The second sees the prompt and the arguments as the first changed them. Both contexts are
 * delivered, and the strictest decision wins; for everything else the first one wins. A hook that throws counts as one
 * that returned nothing, as in the SDK, and the other is still called.
 */
export function mergeHooks<First extends object>(first: First | undefined, second: object): First {
  const [one, two] = [hooksIn(first), hooksIn(second)];
  const names = new Set([...one.keys(), ...two.keys()]);
  return Object.fromEntries([...names].map((name) => [name, inTurn(one.get(name), two.get(name))])) as First;
}

function hooksIn(hooks: object | undefined): Map<string, AnyHook> {
  return new Map(
    Object.entries(hooks ?? {}).filter((entry): entry is [string, AnyHook] => typeof entry[1] === "function"),
  );
}

function inTurn(first: AnyHook | undefined, second: AnyHook | undefined): AnyHook | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return async (input, invocation) => {
    const one = await outputOf(first, input, invocation);
    const two = await outputOf(second, changedBy(one, input), invocation);
    if (one === undefined || two === undefined) return one ?? two;
    return { ...two, ...one, ...both(one, two) };
  };
}

async function outputOf(hook: AnyHook, input: unknown, invocation: unknown): Promise<Output | undefined> {
  try {
    const output = await hook(input, invocation);
    return isRecord(output) ? output : undefined;
  } catch {
    return undefined; // as without the merge: the SDK continues when a program's own hook throws
  }
}

function changedBy(output: Output | undefined, input: unknown): unknown {
  if (output === undefined || !isRecord(input)) return input;
  const { modifiedPrompt, modifiedArgs } = output as { modifiedPrompt?: unknown; modifiedArgs?: unknown };
  return {
    ...input,
    ...(modifiedPrompt === undefined ? {} : { prompt: modifiedPrompt }),
    ...(modifiedArgs === undefined ? {} : { toolArgs: modifiedArgs }),
  };
}

function both(one: Output, two: Output): Output {
  const contexts = [one, two].map((output) => output["additionalContext"]).filter(isText);
  const rank = (output: Output) => DECISIONS.indexOf(output["permissionDecision"]);
  const strictest = rank(two) > rank(one) ? two : one;
  return {
    ...(contexts.length === 0 ? {} : { additionalContext: contexts.join("\n\n") }),
    ...(rank(strictest) < 0
      ? {}
      : {
          permissionDecision: strictest["permissionDecision"],
          permissionDecisionReason: strictest["permissionDecisionReason"],
        }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
