import type { PromptText } from "../../compose/escape.ts";
import type { ToolContext } from "./tool.ts";

/** A request that the user invokes by name: in Claude Code it becomes a slash command. */
export interface PromptDefinition {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required?: boolean;
  }[];
  /** The prompt to send; hosts turn it into one text with `promptText`. The arguments are unchecked user input. */
  render(args: Readonly<Record<string, string>>, call: ToolContext): Promise<PromptText>;
  /** The answer for the user alone, for hosts that can show it without asking a model; `typed` follows the command. */
  answer?(typed: string, call: ToolContext): Promise<string>;
  /** Only for hosts that show `answer`: elsewhere it would just cost a request. */
  readonly onlyAnswers?: true;
  /** Values of an argument that begin with, or are similar to, what was typed so far. */
  complete?(argument: string, typed: string, call: ToolContext): Promise<readonly string[]>;
}
