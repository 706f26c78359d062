import { typed, type Values } from "../../base/settings.ts";
import { isModel } from "../../models/semantic-settings.ts";
import { sharedMeaning } from "../../search/meaning/shared.ts";
import type { MeaningSource } from "../../search/vectors/embed-texts.ts";
import { failure, recordHealth } from "../../store/health.ts";
import type { Home } from "../../store/home.ts";
import { lastReads } from "./decay.ts";
import { identify, type Located, withSync } from "./files/identify.ts";
import { findRoots, type MemoryRoot } from "./files/roots.ts";
import { notesTitled, refreshNotes } from "./note-index/apply.ts";
import type { MemoryIndex } from "./note-index/memory-index.ts";
import { rootIndexes } from "./root-indexes.ts";
import { MEMORY_SETTINGS, rootSettings } from "./settings.ts";
import type { SemanticSearch } from "./vectors/semantic-search.ts";

export interface MemoryOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Values;
  readonly now?: () => number;
  /**
   * How long a query may first sync changed files, so that a note edited a second ago is found. Hooks have much less
   * time than commands; 0 disables this.
   */
  readonly syncMs?: number;
  /** How long to wait for another process that writes the index. */
  readonly busyTimeoutMs?: number;
  /** Hooks have no time to load a larger model or to look for typos. */
  readonly isHook?: boolean;
  readonly signal?: AbortSignal;
  /** Called for a found note that cannot be read and is left out of the answer; recorded by default. */
  readonly onUnreadable?: (error: unknown) => void;
  /** Do not create an index that does not exist. */
  readonly readOnly?: boolean;
  /** The table of meaning (default: the package's own). */
  readonly meaning?: MeaningSource;
  /** Set in a long-running process: closing an index keeps it open for the next call (`openKeptIndex`). */
  readonly keepsOpen?: boolean;
}

export type Workspace = ReturnType<typeof workspaceOf>;

/** Checking 10,000 notes in 100 folders takes about this long (docs/design/notes.md). */
const QUESTION_SYNC_MS = 150;

/** What all operations on notes share: the roots, their indexes, and how to find a note. */
export function workspaceOf(options: MemoryOptions) {
  const { home, env, now = Date.now, syncMs = QUESTION_SYNC_MS, signal, isHook = false } = options;
  const { roots, problems } = findRoots(rootSettings(options.settings), home, env);
  const { semantic: wanted } = typed(MEMORY_SETTINGS, options.settings);
  const meaning = wanted === "off" ? undefined : (options.meaning ?? sharedMeaning(home));
  const indexes = rootIndexes(roots, { ...options, meaning: meaning ?? (() => undefined) });
  const sync = (sliceMs: number) => indexes.sync({ sliceMs, signal });
  const record = (error: unknown, where = "notes") =>
    void recordHealth(home.logs, failure(where, error, now()));
  const titled = (title: string): Located[] =>
    roots.flatMap((root) => {
      const index = indexes.of(root);
      return index === undefined ? [] : notesTitled(index, title).map((one) => ({ root, ...one }));
    });
  const locate = (identifier: string): Located => identify(identifier, roots, titled);

  return {
    ...{ home, env, now, isHook, signal, roots, problems, indexes, meaning, locate, record },
    reads: lastReads(home),
    onUnreadable: options.onUnreadable ?? record,
    located: async <T>(identifier: string, work: (found: Located) => Promise<T>): Promise<T> =>
      work(await withSync(identifier, locate, () => sync(QUESTION_SYNC_MS))),
    /** The indexes, after a short sync. */
    async fresh(): Promise<MemoryIndex[]> {
      if (syncMs > 0) await sync(syncMs);
      return indexes.all();
    },
    /** Indexes Continuo's own changes at once. If this fails, a later sync does it from the files. */
    async refresh(root: MemoryRoot, paths: readonly string[]): Promise<void> {
      try {
        const index = indexes.of(root);
        if (index !== undefined) await refreshNotes(index, paths);
      } catch (error) {
        record(error, "notes index");
      }
    },
    /** Undefined unless a larger model is configured. Few users have one, so its code is loaded only then. */
    async loadSemantic(): Promise<SemanticSearch | undefined> {
      if (isHook || !isModel(wanted)) return undefined;
      const { semanticSearch } = await import("./vectors/semantic-search.ts");
      return semanticSearch(options.settings, home, env);
    },
  };
}
