import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { runCase } from "../sqlite/run-case.ts";
import { indexContract } from "./contract.ts";

const program = fileURLToPath(new URL("../sqlite/main.ts", import.meta.url));

describe("index contract", () => {
  for (const contract of indexContract) it(contract.name, () => runCase(contract, program));
});
