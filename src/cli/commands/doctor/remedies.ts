/** What to do about a recorded failure that came without a hint, by the beginning of its code. */
const REMEDIES: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [/^(ENOSPC|EDQUOT)$/, "free some disk space"],
  [/^(EACCES|EPERM|EROFS)$/, "make that file or folder readable and writable for you"],
  [/^(EMFILE|ENFILE)$/, "too many files were open; close other programs if it happens again"],
  [
    /^(ENOENT|ENOTDIR|EISDIR)$/,
    "a file was missing or replaced; if it happens again, run: continuo doctor --fix",
  ],
  [/^index-rebuilt$/, "nothing is lost; to fill the index again: continuo sessions index"],
  [/^(index-|web-index|web-names)/, "the index catches up by itself; to do it now: continuo sessions index"],
  [/^(notes-sync|semantic|vectors|meaning)/, "to update the index of notes: continuo sync"],
  [/^(record-|transcript-)/, "the session is still found; to read it again: continuo sessions index"],
  [/^projects-not-saved$/, "nothing is lost; the next indexing saves them: continuo sessions index"],
  [/^state-damaged$/, "the session got its rules again; the damaged file is kept beside the new one"],
  [
    /(-late|lock-busy|lock-lost)$/,
    "the machine was busy; a slow disk or large rule folders are usual causes",
  ],
  [/^(mcp-|hook-|server-|payload-|unknown-)/, "set the agent up again if it goes on: continuo install"],
  [/^model-/, "check the model in your settings: continuo config sources.sessions.modelKeys"],
  [/^web-/, "start the page again: continuo web"],
  [/^rule-/, "to see what is wrong with it: continuo rules check"],
];

export function remedyFor(code: string): string {
  const known = REMEDIES.find(([codes]) => codes.test(code))?.[1];
  return known ?? "nothing needs to be done now; if it happens again, please report it";
}
