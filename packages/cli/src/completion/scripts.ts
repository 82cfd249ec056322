/** The scripts that connect a shell with `sigil complete`, which finds what fits. */

/** The shells. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** A shell with a script. */
export type ShellName = (typeof SHELLS)[number];

const BASH = String.raw`# sigil completion bash >> ~/.bashrc
_sigil() {
  local word
  COMPREPLY=()
  # Quoted, because bash puts the words on the command line as they are.
  while IFS= read -r word; do
    COMPREPLY+=("$(printf %q "$word")")
  done < <(sigil complete -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${'$'}{COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _sigil sigil
`;

const ZSH = String.raw`#compdef sigil
# sigil completion zsh > a file _sigil in a folder of $fpath
_sigil() {
  local -a found
  found=("${'$'}{(@f)$(sigil complete -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found ]]; then
    if [[ $found[1] == *= ]]; then compadd -S '' -- $found; else compadd -- $found; fi
  else
    _files
  fi
}
# zsh loads a file of $fpath when the first completion needs it, and that completion is not repeated.
if [[ $funcstack[1] == _sigil ]]; then
  _sigil "$@"
elif (( $+functions[compdef] )); then
  compdef _sigil sigil
fi
`;

const FISH = String.raw`# sigil completion fish > ~/.config/fish/completions/sigil.fish
function __sigil_complete
  set -l found (sigil complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if set -q found[1]
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c sigil -f -a '(__sigil_complete)'
`;

const POWERSHELL = String.raw`# sigil completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName sigil -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  sigil complete -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;

/** The script of each shell. */
export const SCRIPTS: Readonly<Record<ShellName, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
