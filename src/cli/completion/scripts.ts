/**
 * The scripts only pass on what is typed: `continuo completion --words` answers with one word in each line, a tab and its
 * meaning. So a script needs no change when commands do. If nothing comes back, the shell offers files.
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

export type Shell = keyof typeof SCRIPTS;

export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];
