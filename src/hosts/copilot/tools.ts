import { isRecord } from "../../base/json.ts";
import { inserts, patches, reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { type HostTool, hostTools } from "../shared/tool-use/host-tools.ts";

const create = writes("path", "file_text", true); // it refuses to replace a file
const edit = replaces("path", { old: "old_str", new: "new_str" });

const OWN: Readonly<Record<string, HostTool>> = {
  view: reads("path"),
  create,
  edit,
  str_replace: edit,
  apply_patch: patches(["input", "patch"]),
  bash: runs("command"),
  powershell: runs("command"),
};

/** In older versions this is one tool, whose argument `command` says what it does. */
const EDITOR: Readonly<Record<string, HostTool>> = {
  view: reads("path"),
  create,
  str_replace: edit,
  insert: inserts("path", "new_str"),
};

export const tools = hostTools(
  (name, { command }) => {
    const [known, key] = name === "str_replace_editor" ? [EDITOR, String(command)] : [OWN, name];
    return Object.hasOwn(known, key) ? known[key] : undefined;
  },
  {
    hasFailed(_tool, response) {
      if (!isRecord(response)) return false;
      const { resultType, textResultForLlm } = response;
      // A failing command is still a successful tool call. Only the end of its text contains the exit code.
      const end = typeof textResultForLlm === "string" ? textResultForLlm.slice(-200) : "";
      return (typeof resultType === "string" && resultType !== "success") || EXIT_CODE.test(end);
    },
  },
);

const EXIT_CODE = /<shellId: \S+ completed with exit code -?[1-9]\d*>\s*$/;
