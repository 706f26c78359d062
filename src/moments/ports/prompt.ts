import type { PromptText } from "../../compose/escape.ts";
import type { ToolContext } from "./tool.ts";

/** A request that a person sends by its name: in Claude Code it becomes a slash command. */
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
  /** The answer for the person alone, in hosts that can show it without asking a model; `typed` follows the command. */
  answer?(typed: string, call: ToolContext): Promise<string>;
  /** It is only for hosts that show `answer`: elsewhere it would only spend a request. */
  readonly onlyAnswers?: true;
  /** Values of an argument that begin with, or are similar to, what was typed so far. */
  complete?(argument: string, typed: string, call: ToolContext): Promise<readonly string[]>;
}
