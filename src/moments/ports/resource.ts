import type { ToolContext } from "./tool.ts";

/** What a source lets a person or a model read under an address of its own, such as `rules://{name}`. */
export interface ResourceDefinition {
  /** An RFC 6570 template. What it matched is given to `read`, decoded; a value is a name to look up, never a path. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** Undefined: there is nothing under this address. */
  read(variables: Readonly<Record<string, string>>, call: ToolContext): Promise<string | undefined>;
  /** The addresses worth showing to a person who picks one; without it only the template is told. */
  list?(call: ToolContext): Promise<readonly ListedResource[]>;
  /** Values of a variable that begin with, or are near, what was typed so far. */
  complete?(variable: string, typed: string, call: ToolContext): Promise<readonly string[]>;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
}
