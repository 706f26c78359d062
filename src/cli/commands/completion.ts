import { ContinuoError } from "../../base/errors.ts";
import type { Command } from "../command.ts";
import { TOOLS } from "./maenifold/tools.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export function completion(loadCommands: () => Promise<readonly Command[]>): Command {
  return {
    name: "completion",
    summary: "print a tab completion script",
    usage: "completion bash|zsh|fish",
    group: "hosts",
    options: {},
    words: SHELLS,
    raw: true,
    async run({ positionals }) {
      const shell = positionals[0];
      const script = { bash, zsh, fish }[shell ?? ""];
      if (script === undefined) {
        throw new ContinuoError("usage", shell ? `no completion for "${shell}"` : "SHELL is missing", {
          hint: `one of ${SHELLS.join(", ")}; for example: eval "$(continuo completion bash)"`,
        });
      }
      const text = script(await loadCommands());
      return { data: text, text };
    },
  };
}

function bash(commands: readonly Command[]): string {
  return [
    "_continuo() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are the shell's
    '  local cur="${COMP_WORDS[COMP_CWORD]}" cmd="${COMP_WORDS[1]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${names(commands)} --tool"; else case "$cmd $prev" in`,
    `    "--tool --tool") words="${TOOLS.map((tool) => tool.name).join(" ")}" ;;`,
    ...choices(commands).map((one) => `    "${one.command} --${one.option}") words="${one.values}" ;;`),
    '    *) case "$cmd" in',
    '    --tool) words="--payload --json --format" ;;',
    ...commands.map((command) => `    ${command.name}) words="${wordsOf(command)}" ;;`),
    "    esac ;; esac; fi",
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    "}",
    "complete -o default -F _continuo continuo",
  ].join("\n");
}

function zsh(commands: readonly Command[]): string {
  return ["autoload -U +X bashcompinit && bashcompinit", bash(commands)].join("\n");
}

function fish(commands: readonly Command[]): string {
  const tools = TOOLS.map((tool) => tool.name).join(" ");
  return [
    `complete -c continuo -n __fish_use_subcommand -x -l tool -a '${tools}' -d 'as maenifold'`,
    ...choices(commands).map(
      (one) =>
        `complete -c continuo -n '__fish_seen_subcommand_from ${one.command}' -x -l ${one.option} -a '${one.values}'`,
    ),
    ...commands.flatMap((command) => [
      `complete -c continuo -n __fish_use_subcommand -f -a ${command.name} -d '${command.summary.replaceAll("'", "\\'")}'`,
      `complete -c continuo -n '__fish_seen_subcommand_from ${command.name}' -a '${wordsOf(command)}'`,
    ]),
  ].join("\n");
}

/** Options whose values are known. */
function choices(commands: readonly Command[]): { command: string; option: string; values: string }[] {
  return commands.flatMap((command) =>
    Object.entries(command.options).flatMap(([option, { choices }]) =>
      choices === undefined ? [] : [{ command: command.name, option, values: choices.join(" ") }],
    ),
  );
}

function names(commands: readonly Command[]): string {
  return commands.map((command) => command.name).join(" ");
}

function wordsOf(command: Command): string {
  return [
    ...(command.words ?? []),
    ...Object.keys({ ...command.options, json: 0 }).map((name) => `--${name}`),
  ].join(" ");
}
