import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import type { Command, Input } from "../command.ts";
import { candidatesFor, type Known } from "../completion/candidates.ts";

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

/** The user pressed Tab in the middle of a line, so errors print nothing. */
async function answer(words: readonly string[], known: Omit<Known, "tools">): Promise<string> {
  try {
    const { TOOLS } = await import("./maenifold/tools.ts");
    const found = await candidatesFor(words, { ...known, tools: TOOLS.map((tool) => tool.name) });
    return found.map(([word, about]) => `${word}\t${oneLine(about)}`).join("\n");
  } catch {
    return "";
  }
}

/**
 * The scripts only pass on the typed words: `continuo completion --words` prints one candidate per line, with its
 * meaning after a tab. So scripts need no change when commands change. Without candidates, the shell offers files.
 */
export const SCRIPTS = {
  bash: `_continuo() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(continuo completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _continuo continuo`,

  zsh: `#compdef continuo
_continuo() {
  local -a described
  local line about
  for line in "\${(@f)$(continuo completion --words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    about=\${line#*$'\\t'}
    [[ -n $line ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}\${about:+:$about}")
  done
  if (( $#described )); then
    _describe -V continuo described
  else
    _files
  fi
}
if [[ \${funcstack[1]} = _continuo ]]; then
  _continuo "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _continuo continuo
fi`,

  fish: `function __continuo_find
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -g __continuo_found (continuo completion --words -- $before[2..-1] "$current" 2>/dev/null)
    test (count $__continuo_found) -gt 0
end
complete -c continuo -e
complete -c continuo -n __continuo_find -f -k -a '(printf "%s\\n" $__continuo_found)'`,

  // Windows PowerShell does not pass on an empty word, so \`--next\` says that there is one.
  powershell: `Register-ArgumentCompleter -Native -CommandName continuo -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString().Trim('"', "'") })
    $options = @('--words')
    if ($wordToComplete -eq '') { $options += '--next' }
    & continuo completion @options '--' @words 2>$null | ForEach-Object {
        $word, $about = $_ -split "\`t", 2
        if (-not $about) { $about = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
}`,
} as const satisfies Readonly<Record<string, string>>;

type Shell = keyof typeof SCRIPTS;

export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];
