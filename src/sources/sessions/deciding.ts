import { ContinuoError } from "../../base/errors.ts";
import type { History } from "../../moments/ports/history.ts";
import { folderOfUser, metaFile } from "../../moments/state/session-meta.ts";
import { cleanName } from "../../moments/state/session-name.ts";
import type { Database } from "../../store/sqlite/types.ts";
import type { Briefing } from "./describe/briefing.ts";
import { briefingFor, type Described, type DescribeOptions, describeSession } from "./describe/describe.ts";
import { rowOf } from "./indexing/rows.ts";
import type { RecordPlaces } from "./records/files.ts";
import { type Forgotten, forgottenSessions } from "./records/forgotten.ts";
import type { Records } from "./records/records.ts";
import type { SessionKey } from "./session.ts";

const RENAME_WAIT_MS = 5000;

interface Decided {
  readonly db: Database;
  readonly places: RecordPlaces;
  readonly now: () => number;
  readonly records: Records;
  readonly history: History;
}

/** Decisions about a session by users and models: its record, its name, and whether it is forgotten. */
export function deciding({ db, places, now, records, history }: Decided) {
  const { home, env } = places;
  const describer = { db, places, now, read: records.read, makeFor: records.makeFor };
  return {
    record: records.record,
    outline: records.outline,
    /** What `describe` would send, and the number of new prompts; undefined if the session has no text. */
    briefing: (key: SessionKey): Briefing | undefined => briefingFor(describer, key),
    /** Lets a model write the record. */
    describe: (key: SessionKey, options: DescribeOptions): Promise<Described> =>
      describeSession(describer, key, options),
    /**
     * Gives it the user's name, which nothing replaces, and stores that in its metadata. An empty name restores the one
     * by the host, a model or Continuo. Returns the resulting name.
     */
    async rename(key: SessionKey, given: string): Promise<string> {
      const row = rowOf(db, key);
      if (row === undefined)
        throw new ContinuoError("no-such-session", `session "${key.id}" is not indexed`, {
          hint: "continuo sessions index reads all histories",
        });
      const name = cleanName(given);
      if (name === "" && given !== "")
        throw new ContinuoError("name-empty", "the name is empty", { hint: "give it a few words" });
      const file = metaFile(home, folderOfUser(env), key, { lockWaitMs: RENAME_WAIT_MS });
      // An empty name needs no file.
      if (name !== "" || file.read() !== undefined) await file.update(() => ({ name }));
      return records.named(key, name)?.name ?? row.name;
    },
    /** The same for a name that is already in the metadata. Does nothing for a session that is not indexed. */
    named: (key: SessionKey, name: string): void => void records.named(key, cleanName(name)),
    forget: records.forget,
    /** The forgotten sessions, latest first. */
    forgotten: (): Forgotten[] => forgottenSessions(places, history.keys()),
    /**
     * Undoes `forget`: the next sync indexes the session again. Returns false, and changes nothing, if its transcript
     * is gone.
     */
    remember(key: SessionKey): boolean {
      const files = history.get(key.host)?.discover(env) ?? [];
      if (!files.some(({ id }) => id === key.id)) return false;
      records.remember(key);
      return true;
    },
  };
}
