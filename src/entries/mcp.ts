import { oneLine } from "../base/for-terminal.ts";
import { workingFolder } from "../store/folder.ts";
import { mcpMain } from "./mcp-main.ts";

mcpMain(process.env, workingFolder()).catch((error: Error) => {
  process.stderr.write(`continuo: ${oneLine(error.message)}\n`);
  process.exitCode = 1;
});
