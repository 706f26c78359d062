import type { NamedBy } from "../session.ts";

/**
 * What is known of a session, as a file that other programs read too: `<id>.meta.json`. The names of the fields are
 * those of the pi extension that this format comes from.
 */
export interface SessionRecord {
  readonly schemaVersion: 1;
  readonly sessionId: string;
  readonly sessionFile: string;
  readonly parentSessionFile?: string;
  readonly name: string;
  readonly description: string;
  /** Markdown: Goal, Key decisions, Outcome, Next steps, Files, Commands. */
  readonly summary: string;
  readonly tags: readonly string[];
  readonly cwd: string;
  /** ISO times: when the record was first made, and last. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** `provider/id` of the model that wrote it; `EXTRACTED` when none did. */
  readonly model: string;
  /** The last turn that it tells of. */
  readonly lastIndexedLeafId: string;
  /** What the format has no field for. */
  readonly continuo?: {
    readonly host: string;
    /** `given`: the name was given with `sessions name`, and stays. */
    readonly namedBy: NamedBy;
    /** Names that models gave it before: a host that was told of one must not pass for a person. */
    readonly earlierNames?: readonly string[];
    readonly branch?: string;
    readonly files?: readonly string[];
  };
}

/** One that was made here, with all that can be said without a model. */
export type OwnRecord = SessionRecord & { readonly continuo: NonNullable<SessionRecord["continuo"]> };

/** In place of a model's name: the words are the session's own. */
export const EXTRACTED = "continuo/extractive";

/** The record, if there is one and a model wrote it, for us or for another program. */
export function byModel(record: SessionRecord | undefined): SessionRecord | undefined {
  return record?.model === EXTRACTED ? undefined : record;
}
