import { startCodex } from "../hosts/codex/driver.ts";
import { CODEX, codexProgram } from "../support/codex-program.ts";
import { orSkipReason } from "../support/packages.ts";
import { noStrace } from "../support/tampering.ts";
import { hasTmux, NO_TMUX } from "../support/terminal.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(codexProgram());

hostContract({
  name: `Codex ${CODEX}`,
  missing: typeof found === "object" ? found.skip : undefined,
  skip: {
    mention: "its prompts have no mark for files: it puts the plain path there",
    title: "`codex exec` asks no model for titles",
    decide: "it has no commands of MCP servers: its forms need a tool call, which a model makes",
    ...(hasTmux ? {} : { line: NO_TMUX, "added line": NO_TMUX }),
    ...(noStrace === undefined ? {} : { network: noStrace }),
  },
  start: startCodex,
});
