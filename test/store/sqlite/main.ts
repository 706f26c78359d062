import { indexChildren } from "../derived-index/children.ts";
import { indexContract } from "../derived-index/contract.ts";
import { create, write } from "./children.ts";
import { sqliteContract } from "./contract.ts";
import { runCase } from "./run-case.ts";

/**
 * Both contracts as one program, for runtimes without vitest: prints a line of JSON for each case. With a first
 * argument it is instead one of the processes that a case starts.
 */
const [role = "all", ...args] = process.argv.slice(2);
const children: Record<string, (...args: string[]) => void> = {
  write: (file = "", writer = "", count = "", gun = "") => write(file, Number(writer), Number(count), gun),
  create: (dir = "", count = "", gun = "") => create(dir, Number(count), gun),
  ...indexChildren,
};

const child = children[role];
if (child !== undefined) child(...args);
else runAll();

// Not top-level await: this file is bundled as CommonJS.
async function runAll(): Promise<void> {
  for (const contract of [...sqliteContract, ...indexContract]) {
    const error = await runCase(contract, process.argv[1] ?? "").then(
      () => undefined,
      (thrown) => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)),
    );
    console.log(JSON.stringify({ name: contract.name, error }));
  }
}
