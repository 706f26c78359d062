import type { ToolContext, ToolDefinition } from "../../moments/tool-port.ts";

/** What a source lets clients read under an address of its own, such as `memory://{name}`. */
export interface ResourceDefinition {
  /** An RFC 6570 template; what it matched is given to `read`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** Undefined: there is nothing under this address. */
  read(variables: Readonly<Record<string, string>>, call: ToolContext): Promise<string | undefined>;
  /** The addresses worth showing to a person who picks one; without it only the template is told. */
  list?(call: ToolContext): Promise<readonly { readonly uri: string; readonly name: string }[]>;
}

/** A request that a person sends by its name: in Claude Code it becomes a slash command. */
export interface PromptDefinition {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required?: boolean;
  }[];
  /** What is sent in the person's name. The arguments are as they were typed, unchecked. */
  render(args: Readonly<Record<string, string>>, call: ToolContext): Promise<string>;
}

/** All that the server offers. A kind with an empty list is not announced, so that no client asks for it. */
export interface Offers {
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

/** Sources register here, as they do in TOOLS. */
export const RESOURCES: readonly ResourceDefinition[] = [];
export const PROMPTS: readonly PromptDefinition[] = [];
