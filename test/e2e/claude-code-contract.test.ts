import { CLAUDE_CODE } from "../support/claude-code.ts";
import { startClaudeCodeDriver } from "../support/claude-code-driver.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { noStrace } from "../support/tampering.ts";
import { hasTmux, NO_TMUX } from "../support/terminal.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));

for (const form of ["tool", "command"] as const)
  hostContract({
    name: `Claude Code ${CLAUDE_CODE}${form === "tool" ? "" : ", hooks as commands"}`,
    missing: typeof found === "object" ? found.skip : undefined,
    skip: {
      title: "it asks for titles only in its interactive form, and then with a prompt of its own",
      ...(hasTmux ? {} : { line: NO_TMUX, "added line": NO_TMUX, decide: NO_TMUX }),
      ...(noStrace === undefined ? {} : { network: noStrace }),
    },
    start: () => startClaudeCodeDriver(form),
  });
