import { startCopilot } from "../hosts/copilot/driver.ts";
import { COPILOT, copilotProgram } from "../support/copilot.ts";
import { orSkipReason } from "../support/packages.ts";
import { noStrace } from "../support/tampering.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(copilotProgram());

hostContract({
  name: `Copilot CLI ${COPILOT}`,
  missing: typeof found === "object" ? found.skip : undefined,
  skip: {
    title: "it asks for no titles when it runs one prompt with a provider of the user's own",
    line: "it shows its user nothing of what a hook prints",
    "added line": "it shows its user nothing of what a hook prints",
    decide: "it has no commands of MCP servers: its forms need a tool call, which a model makes",
    ...(noStrace === undefined ? {} : { network: noStrace }),
  },
  start: startCopilot,
});
