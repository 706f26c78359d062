/** A Markdown file of a memory root, as it was when it was read. */
export interface Note {
  /** `memory://folder/name`, without `.md`. */
  readonly uri: string;
  /** Absolute. */
  readonly path: string;
  readonly title: string;
  /** The text after the frontmatter. */
  readonly body: string;
  /** As parsed; empty when there is none, or when it is no YAML (`problems` then says so). */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  /** Normalised names of what its WikiLinks name, in order, each once: the nodes of the graph. */
  readonly concepts: readonly string[];
  /** Its links as other editors understand them: to another note, perhaps to a heading in it. */
  readonly links: readonly NoteLink[];
  /** Milliseconds since 1970: from the frontmatter, else from maenifold's id in the file's name. */
  readonly created: number | undefined;
  /** Milliseconds since 1970: when the file was last changed. */
  readonly modified: number;
  /** Of the whole text, as the edit guard wants it. */
  readonly checksum: string;
  readonly size: number;
  readonly problems: readonly string[];
}

export interface NoteLink {
  readonly target: string;
  readonly heading?: string;
  readonly alias?: string;
  readonly isEmbed: boolean;
}

/** What a walk over a root sees of a file, without reading it. */
export interface NoteFile {
  readonly uri: string;
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}
