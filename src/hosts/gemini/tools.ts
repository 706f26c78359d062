import { isRecord } from "../../base/json.ts";
import { reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";

/** Older versions send the second one. */
const PATH = ["file_path", "absolute_path"];

export const tools = hostTools(
  {
    read_file: reads(PATH),
    write_file: writes(PATH, "content"),
    // An empty old text creates a file; for an existing file the tool refuses it.
    replace: replaces(PATH, { old: "old_string", new: "new_string", empty: "new" }),
    run_shell_command: runs("command"),
  },
  {
    hasFailed(tool, response) {
      if (!isRecord(response)) return false;
      const { error, llmContent } = response;
      return isRecord(error) || (typeof llmContent === "string" && hasFailedCommand(tool, llmContent));
    },
    isNewFile(tool, response) {
      const text = tool === "write_file" && isRecord(response) ? response["llmContent"] : undefined;
      if (typeof text !== "string") return undefined;
      return (
        text.startsWith("Successfully created") ||
        (text.startsWith("Successfully overwrote") ? false : undefined)
      );
    },
  },
);

/** Whether the text for the model says that a command failed or was stopped. The exit code follows the output. */
export function hasFailedCommand(tool: string, text: string): boolean {
  if (tool !== "run_shell_command") return false;
  return /^Command was (?:automatically )?cancelled/.test(text) || EXIT_CODE.test(text.slice(-300));
}

const EXIT_CODE =
  /\n(?:Exit Code: -?[1-9]\d*|Signal: \S+)(?:\n(?:Signal|Background PIDs|Process Group PGID): .*)*\s*$/;
