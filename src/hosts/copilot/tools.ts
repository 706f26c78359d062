import { filesByTool } from "../shared/named-file.ts";

export const filesOf = filesByTool({ view: "read", create: "edit", edit: "edit" }, (input) => input["path"]);
