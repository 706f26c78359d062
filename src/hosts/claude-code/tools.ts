import { filesByTool } from "../shared/named-file.ts";

export const filesOf = filesByTool(
  { Read: "read", Edit: "edit", MultiEdit: "edit", Write: "edit", NotebookEdit: "edit" },
  (input, tool) => input[tool === "NotebookEdit" ? "notebook_path" : "file_path"],
);
