/** What somebody who has no notes yet is told. */
export const NO_NOTES = [
  "There are no notes yet. Write one:",
  '  continuo write "We chose [[sqlite]] for [[search]]." --title "Why SQLite"',
  "or read those of another program: continuo memory add FOLDER",
].join("\n");
