/** How a host's prompts name files, and what else it puts into them. */
export interface PromptForm {
  /** What the user typed, if the host appends files' content to it. */
  typedIn?(prompt: string): string;
  /** For each mention of a file, the paths that it may mean, the most exact first. They need not exist. */
  mentionsIn(prompt: string): Iterable<readonly string[]>;
}
