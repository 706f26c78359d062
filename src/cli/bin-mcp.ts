import { oneLine } from "../compose/for-terminal.ts";
import { mcpMain } from "./mcp-main.ts";

mcpMain(process.env, process.cwd()).catch((error: Error) => {
  process.stderr.write(`continuo: ${oneLine(error.message)}\n`);
  process.exitCode = 1;
});
