import { startCodex } from "../hosts/codex/driver.ts";
import { CODEX, codexProgram } from "../support/codex-program.ts";
import { orSkipReason } from "../support/packages.ts";
import { noStrace } from "../support/tampering.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(codexProgram());

hostContract({
  name: `Codex ${CODEX}`,
  missing: typeof found === "object" ? found.skip : undefined,
  skip: {
    title: "`codex exec` asks no model for titles",
    ...(noStrace === undefined ? {} : { network: noStrace }),
  },
  start: startCodex,
});
