import { filesByTool } from "../shared/named-file.ts";

export const filesOf = filesByTool(
  { read_file: "read", write_file: "edit", replace: "edit" },
  (input) => input["file_path"] ?? input["absolute_path"], // older versions send the latter
);
