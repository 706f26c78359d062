import { basename, dirname, join } from "node:path";
import { ledgerJournal } from "../../../moments/state/ledger.ts";
import { findRoots } from "../../../sources/notes/files/roots.ts";
import { memorySettings, rootSettings } from "../../../sources/notes/settings.ts";
import { sidecarPath } from "../../../sources/profile/file/sidecar.ts";
import { resolveSeedPath, WAITING_FILE } from "../../../sources/profile/settings.ts";
import { WAITING_FILE as CHECKS_FILE } from "../../../sources/rules/drafts/count-waiting.ts";
import { healthJournal } from "../../../store/health.ts";
import { type Journal, journalFiles } from "../../../store/journal.ts";
import type { WebEvent } from "../../api/events.ts";
import type { Web } from "../web.ts";

/** A folder that other processes write to, and the meaning of changes in it. */
export interface Place {
  readonly path: string;
  /** Whether its subfolders are watched too. */
  readonly isTree?: boolean;
  /** Whether each subfolder belongs to a host and contains files of sessions. */
  readonly isOfHosts?: boolean;
  /** Files that are written in place, so that the folder itself does not change. */
  readonly files?: () => readonly string[];
  /** The events for changes of these names; undefined means that anything may have changed. */
  events(names: ReadonlySet<string> | undefined): readonly WebEvent[];
}

const RESET: readonly WebEvent[] = [{ type: "reset" }];

/** The folders whose changes the system reports, so that no file needs to be read. */
export function followedPlaces({ home, env }: Pick<Web, "home" | "env">): readonly Place[] {
  const seed = resolveSeedPath(undefined, env);
  const seedFiles = [seed, sidecarPath(seed)];
  const { roots } = findRoots(rootSettings(memorySettings(home, env)), home, env);
  return [
    {
      path: home.root,
      files: () => [...ROOT_FILES.keys()].map((name) => join(home.root, name)),
      events: (names) =>
        names === undefined ? RESET : [...names].flatMap((name) => ROOT_FILES.get(name) ?? []),
    },
    {
      path: home.logs,
      files: () => newestOf(healthJournal(home.logs)),
      events: (names) => (has(names, (name) => name.startsWith("health-")) ? [{ type: "health" }] : []),
    },
    { path: home.state, isOfHosts: true, events: () => RESET },
    { path: join(home.root, "sessions-meta"), isOfHosts: true, events: () => RESET },
    { path: join(home.root, "rules"), events: () => [{ type: "rules" }] },
    {
      path: dirname(seed),
      files: () => seedFiles,
      events: (names) =>
        has(names, (name) => seedFiles.some((file) => basename(file) === name)) ? [{ type: "inbox" }] : [],
    },
    ...roots.map(
      ({ path }): Place => ({
        path,
        isTree: true,
        events: (names) => (has(names, isNote) ? [{ type: "notes" }] : []),
      }),
    ),
  ];
}

const ROOT_FILES: ReadonlyMap<string, readonly WebEvent[]> = new Map([
  ["trust.json", [{ type: "rules" }]],
  ["config.json", [{ type: "rules" }, { type: "connect" }]],
  [WAITING_FILE, [{ type: "inbox" }]],
  [CHECKS_FILE, [{ type: "inbox" }]],
]);

export function newestLedger(home: Web["home"]): readonly string[] {
  return newestOf(ledgerJournal(home));
}

function newestOf(journal: Journal): readonly string[] {
  return journalFiles(journal)
    .slice(-1)
    .map((name) => join(journal.folder, name));
}

/** A note, or a folder of notes. */
function isNote(name: string): boolean {
  return !name.startsWith(".") && (/\.md$/i.test(name) || !name.includes("."));
}

function has(names: ReadonlySet<string> | undefined, isMeant: (name: string) => boolean): boolean {
  return names === undefined || [...names].some(isMeant);
}
