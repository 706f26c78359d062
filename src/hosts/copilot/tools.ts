import { reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";

export const tools = hostTools({
  view: reads("path"),
  create: writes("path", "file_text"),
  edit: replaces("path", { old: "old_str", new: "new_str" }),
  bash: runs("command"),
  powershell: runs("command"),
});
