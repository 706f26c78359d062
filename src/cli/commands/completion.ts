import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import type { Command, Input } from "../command.ts";
import { candidatesFor, type Known } from "../completion/candidates.ts";
import { SCRIPTS, SHELLS, type Shell } from "../completion/scripts.ts";

interface Registered {
  readonly loadCommand: (name: string, actions: Input["actions"]) => Promise<Command | undefined>;
  readonly loadAllCommands: (actions: Input["actions"]) => Promise<readonly Command[]>;
}

export function completion({ loadCommand, loadAllCommands }: Registered): Command {
  return {
    name: "completion",
    summary: "print a script for tab completion",
    usage: "completion SHELL",
    section: "agents",
    isMinor: true,
    guide:
      'Load the script when your shell starts. For bash, add `eval "$(continuo completion bash)"` to ~/.bashrc, for zsh the same with zsh to ~/.zshrc. For fish: `continuo completion fish > ~/.config/fish/completions/continuo.fish`. For PowerShell, add `continuo completion powershell | Out-String | Invoke-Expression` to your $PROFILE.',
    options: {
      words: { type: "boolean", help: "print what can follow the given words; the scripts call it" },
      next: { type: "boolean", help: "with --words: complete the word after the last one" },
    },
    arguments: { SHELL: { help: "your shell", choices: SHELLS } },
    examples: [
      ['eval "$(continuo completion bash)"', "complete commands in this bash from now on"],
      ["continuo completion fish > ~/.config/fish/completions/continuo.fish", "set it up for fish"],
      ["continuo completion --words -- rules li", "see what would be completed"],
    ],
    raw: true,
    async run({ positionals, values, actions }) {
      const known = {
        loadCommand: (name: string) => loadCommand(name, actions),
        loadAllCommands: () => loadAllCommands(actions),
      };
      if (values["words"] === true) {
        const text = await answer(values["next"] === true ? [...positionals, ""] : positionals, known);
        return { data: text, text };
      }
      const text = SCRIPTS[shellOf(positionals[0])];
      return { data: text, text };
    },
  };
}

function shellOf(name: string | undefined): Shell {
  const meant = name === "pwsh" ? "powershell" : name;
  const found = SHELLS.find((shell) => shell === meant);
  if (found !== undefined) return found;
  throw new ContinuoError("usage", name === undefined ? "SHELL is missing" : `no completion for "${name}"`, {
    hint: `one of ${SHELLS.join(", ")}; for example: eval "$(continuo completion bash)"`,
  });
}

/** Somebody presses Tab in the middle of a line: whatever fails, nothing is printed. */
async function answer(words: readonly string[], known: Omit<Known, "tools">): Promise<string> {
  try {
    const { TOOLS } = await import("./maenifold/tools.ts");
    const found = await candidatesFor(words, { ...known, tools: TOOLS.map((tool) => tool.name) });
    return found.map(([word, about]) => `${word}\t${oneLine(about)}`).join("\n");
  } catch {
    return "";
  }
}
