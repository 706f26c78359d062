import { reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";

/** Older versions send the second one. */
const PATH = ["file_path", "absolute_path"];

export const tools = hostTools({
  read_file: reads(PATH),
  write_file: writes(PATH, "content"),
  // An empty old text creates a file: the tool refuses it for a file that exists.
  replace: replaces(PATH, { old: "old_string", new: "new_string", empty: "new" }),
  run_shell_command: runs("command"),
});
