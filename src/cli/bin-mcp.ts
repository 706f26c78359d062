import { mcpMain } from "./mcp-main.ts";

mcpMain(process.env, process.cwd()).catch((error: Error) => {
  process.stderr.write(`continuo: ${error.message}\n`);
  process.exitCode = 1;
});
