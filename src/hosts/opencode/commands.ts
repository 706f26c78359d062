import { withDeadline } from "../../base/deadline.ts";
import { ContinuoError, whyRefused } from "../../base/errors.ts";
import { forTerminal, oneLine } from "../../base/for-terminal.ts";
import { promptText, quoteLine } from "../../compose/escape.ts";
import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import type { Part } from "./api.ts";

const PREFIX = "continuo-";
/**
 * The host executes text between `!\`` and a backquote in a template, and appends what the user typed to a template
 * without a placeholder. This placeholder stands for a word that nobody types, so the user's text never gets into the
 * template.
 */
const NOWHERE = "$999999";
/** The user waits longer for a typed command than a moment may take, but not forever. */
const LONGEST_MS = 15_000;

/** Offers prompts as slash commands of the host. The user's own command of the same name takes precedence. */
export function addCommands(
  config: { command?: Record<string, object> },
  prompts: readonly PromptDefinition[],
): void {
  const ours = prompts.map(({ name, description }) => [
    PREFIX + name,
    // A placeholder: when the command runs, the prompt's text replaces it.
    {
      description,
      template: `Say that /${PREFIX}${name} of Continuo did not work, and do nothing else.${NOWHERE}`,
    },
  ]);
  config.command = { ...Object.fromEntries(ours), ...config.command };
}

/**
 * Replaces the template by the prompt's text. If the prompt fails, the model gets the reason and reports it to the
 * user. Returns a text if that already answers the command, so that no model is asked.
 */
export async function runCommand(
  prompts: readonly PromptDefinition[],
  name: string,
  typed: string,
  parts: Part[],
  contextOf: () => Promise<ToolContext>,
): Promise<string | undefined> {
  const prompt = prompts.find((one) => PREFIX + one.name === name);
  const part = parts.find(({ type }) => type === "text") as { text?: string } | undefined;
  if (prompt === undefined || part === undefined) return undefined;
  try {
    const late = () => new ContinuoError("command-late", `it took longer than ${LONGEST_MS} ms`);
    const context = await contextOf();
    const { answer } = prompt;
    if (answer !== undefined)
      return forTerminal(
        await withDeadline(LONGEST_MS, late, (signal) => answer(typed, { ...context, signal })),
      );
    const asked = await withDeadline(LONGEST_MS, late, (signal) =>
      prompt.render(argumentsOf(prompt, typed), { ...context, signal }),
    );
    part.text = promptText(prompt.name, asked);
  } catch (error) {
    const reason = whyRefused(error);
    if (prompt.answer !== undefined) return oneLine(reason);
    part.text = `Tell me this, and do nothing else: ${quoteLine(reason)}`;
  }
  return undefined;
}

/** One word or quoted text per argument; the last argument takes the rest. */
export function argumentsOf(
  { arguments: wanted }: Pick<PromptDefinition, "arguments">,
  typed: string,
): Record<string, string> {
  const given: Record<string, string> = {};
  let rest = typed.trim();
  for (const [i, { name }] of wanted.entries()) {
    const [whole = "", quoted] = /^(?:"([^"]*)"|\S+)/.exec(rest) ?? [];
    const value = i === wanted.length - 1 ? rest : (quoted ?? whole);
    if (value !== "") given[name] = value;
    rest = rest.slice(whole.length).trim();
  }
  return given;
}
