import { isRecord } from "../../base/json.ts";
import { inserts, reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";

/** An empty old text creates a file; for a file with content the tool refuses it. */
const REPLACED = { old: "old_string", new: "new_string", empty: "new" } as const;

/** No hook runs after a call that failed. */
export const tools = hostTools(
  {
    Read: reads("file_path"),
    Edit: replaces("file_path", REPLACED),
    MultiEdit: replaces("file_path", { ...REPLACED, several: "edits" }),
    Write: writes("file_path", "content"),
    // One notebook cell. The call does not contain its previous content.
    NotebookEdit: inserts("notebook_path", "new_source"),
    Bash: runs("command"),
  },
  {
    isNewFile(tool, response) {
      const type = tool === "Write" && isRecord(response) ? response["type"] : undefined;
      return type === "create" ? true : type === "update" ? false : undefined;
    },
  },
);
