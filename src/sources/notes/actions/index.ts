import { type Action, type ActionGroup, alone } from "../../../moments/ports/action.ts";

/** The actions on notes: a group per command, each loaded only when it is used or described. */
export const NOTE_ACTIONS = {
  search: async () => group((await import("./search.ts")).search),
  recent: async () => minor((await import("./list.ts")).recent),
  context: async () => minor((await import("./concepts.ts")).context),
  graph: async () => minor((await import("./concepts.ts")).graph),
  read: async () => group((await import("./read.ts")).read),
  note: async () => group((await import("./write.ts")).note),
  write: async () => minor((await import("./write.ts")).write),
  edit: async () => minor((await import("./edit.ts")).edit),
  move: async () => minor((await import("./edit.ts")).move),
  delete: async () => minor((await import("./delete.ts")).remove),
  restore: async () => minor((await import("./restore.ts")).restore),
  list: async () => minor((await import("./list.ts")).list),
  sync: async () => minor((await import("./sync.ts")).sync),
  memory: async () => {
    const [{ listFolders, addFolder, removeFolder, useFolder }, { exportNotes }] = await Promise.all([
      import("./folders.ts"),
      import("./export.ts"),
    ]);
    return {
      name: "memory",
      about: "choose the folders for your notes",
      section: "notes",
      isMinor: true,
      guide:
        "Notes are Markdown files. Continuo writes to the main folder, and can read other folders without changing them, such as an Obsidian vault.",
      examples: [["continuo memory", "list the folders that notes are read from"]],
      actions: [listFolders, addFolder, removeFolder, useFolder, exportNotes],
    } satisfies ActionGroup;
  },
} satisfies Readonly<Record<string, () => Promise<ActionGroup>>>;

const group = <A extends Action>(only: A) => alone("notes", only);
const minor = <A extends Action>(only: A) => alone("notes", only, true);
