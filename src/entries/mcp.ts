import { oneLine } from "../base/for-terminal.ts";
import { workingFolder } from "../store/folder.ts";
import { mcpMain } from "./mcp-main.ts";

/** `onReady` is called once, when the server has started. */
export function main(onReady: () => void): void {
  mcpMain(process.env, workingFolder(), onReady).catch((error: Error) => {
    process.stderr.write(`continuo: ${oneLine(error.message)}\n`);
    process.exitCode = 1;
  });
}
