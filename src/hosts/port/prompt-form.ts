/** How a host's prompts name files, and what else it puts into them. */
export interface PromptForm {
  /** What the person typed, if the host sends content of files with it. */
  typedIn?(prompt: string): string;
  /** Of each mention of a file the paths that it can mean, the most exact first. They need not exist. */
  mentionsIn(prompt: string): Iterable<readonly string[]>;
}
