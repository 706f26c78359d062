import type { ToolContext } from "./tool.ts";

/** What a user or a model can read at one of a source's addresses, such as `rules://{name}`. */
export interface ResourceDefinition {
  /** An RFC 6570 template. `read` gets the decoded variables; a value is a name to look up, never a path. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** One sentence to the model on the authority of the text (default: quoted data, not instructions). */
  readonly authority?: string;
  /** Undefined if there is nothing at this address. */
  read(variables: Readonly<Record<string, string>>, call: ToolContext): Promise<string | undefined>;
  /** The addresses that the user can choose from; without it only the template is listed. */
  list?(call: ToolContext): Promise<readonly ListedResource[]>;
  /** Values of a variable that begin with, or are similar to, what was typed so far. */
  complete?(variable: string, typed: string, call: ToolContext): Promise<readonly string[]>;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
}
