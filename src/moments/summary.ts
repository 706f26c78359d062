import type { SessionState } from "./state/session-state.ts";
import { rankFiles } from "./working-set.ts";

export interface Kept {
  readonly characters: number;
  /** Files of the working set that the summary names, and those it does not. */
  readonly keptFiles: readonly string[];
  readonly lostFiles: readonly string[];
  /** Items of our snapshot that the summary restates although it was asked to leave them out. */
  readonly restated: readonly string[];
}

const LOOKED_AT = 20;

/** What the host's summary kept of what mattered. The ledger gets names only; the summary itself is in the state. */
export function whatWasKept(summary: string, state: SessionState): Kept {
  const files = rankFiles(state.workingSet)
    .slice(0, LOOKED_AT)
    .map((use) => use.path);
  const base = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  // A bare name tells which file only if there is one of that name.
  const isUnique = (path: string) => files.filter((one) => base(one) === base(path)).length === 1;
  const isNamed = (path: string) =>
    summary.includes(path) || (isUnique(path) && summary.includes(base(path)));
  const shown = [state.snapshot?.text ?? "", ...(state.snapshot?.more ?? [])].join("\n");
  const items = shown.matchAll(/<continuo-item name="([^"]*)"(?: part="1 of \d+")?>\n(.*)\n/g);
  return {
    characters: summary.length,
    keptFiles: files.filter(isNamed),
    lostFiles: files.filter((path) => !isNamed(path)),
    restated: [...items]
      .filter(([, , line = ""]) => summary.includes(line.trim()))
      .map(([, name = ""]) => name),
  };
}
