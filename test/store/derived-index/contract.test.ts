import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { childScript } from "../../support/child.ts";
import { runCase } from "../sqlite/run-case.ts";
import { indexContract } from "./contract.ts";

// As one script: of many processes each would otherwise read and strip all of its modules.
const folder = mkdtempSync(join(tmpdir(), "program-"));
const program = await childScript(folder, 'import "./test/store/sqlite/main.ts";');

describe("index contract", () => {
  for (const contract of indexContract) it(contract.name, () => runCase(contract, program));
});
