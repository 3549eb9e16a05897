import { fishScript } from "./fish-script.ts";
import type { Place } from "./plan.ts";
import { candidatesScript } from "./posix-script.ts";
import type { Shell } from "./sources.ts";

/** The completion of a shell, to be read by it when it starts. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  if (shell === "fish") return fishScript(places);
  return shell === "bash"
    ? `${candidatesScript(places)}${bash}`
    : `#compdef roborev\n${candidatesScript(places)}${zsh}`;
}

// Bash splits at an equals sign, and replaces only what is behind it.
const bash = `
_roborev() {
  local word name about before current='' joined=''
  local -a words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [ "$word" = = ] && [ \${#words[@]} -gt 0 ]; then
      words[\${#words[@]}-1]="\${words[\${#words[@]}-1]}="
      joined=1
    elif [ -n "$joined" ]; then
      words[\${#words[@]}-1]="\${words[\${#words[@]}-1]}$word"
      joined=''
    else
      words[\${#words[@]}]="$word"
    fi
  done
  current="\${words[\${#words[@]}-1]}"
  unset "words[\${#words[@]}-1]"
  before="\${current%"\${COMP_WORDS[COMP_CWORD]}"}"
  [ "\${COMP_WORDS[COMP_CWORD]}" = = ] && before="$current"
  COMPREPLY=()
  while IFS=$'\\t' read -r name about; do
    case "$name" in
    :files | :directories)
      type compopt >/dev/null 2>&1 || return 0
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do
        COMPREPLY[\${#COMPREPLY[@]}]="$word"
      done < <(if [ "$name" = :files ]; then compgen -f -- "$current"; else compgen -d -- "$current"; fi)
      ;;
    *)
      if [ "\${name#"$current"}" != "$name" ] || [ -z "$current" ]; then
        COMPREPLY[\${#COMPREPLY[@]}]="\${name#"$before"}"
      fi
      ;;
    esac
  done < <(_roborev_candidates "$current" "\${words[@]+"\${words[@]}"}")
}
complete -F _roborev roborev
`;

// Works from a directory of fpath, where the file is the function, and by eval.
const zsh = `
_roborev() {
  emulate -L zsh
  local name about
  local -a names abouts
  while IFS=$'\\t' read -r name about; do
    case "$name" in
    :files) _files; return ;;
    :directories) _files -/; return ;;
    esac
    names+=("$name")
    abouts+=("$name\${about:+  $about}")
  done < <(_roborev_candidates "\${words[CURRENT]}" "\${(@)words[2,CURRENT-1]}")
  compadd -l -d abouts -a names
}

if [ "\${funcstack[1]}" = _roborev ]; then
  _roborev
else
  compdef _roborev roborev
fi
`;
