import { shellWord } from "../../lib/shell-word.ts";
import type { Flag, Place, Word } from "./plan.ts";
import type { Source } from "./sources.ts";

// Bash (3.2, of macOS, too) and zsh share everything but the last step. Nothing is ever expanded or evaluated: words of
// the tree are quoted here, and live values are read line by line and compared, never handed to `compgen -W`.

/** Functions that print the candidates for a word, one a line, behind a tab what each is. */
export function candidatesScript(places: readonly Place[]): string {
  return `# $1 the command so far, $2 the next word: sets roborev_at to the command with it.
_roborev_step() {
  case "$1 $2" in
${places.flatMap(steps).join("\n")}
  *) return 1 ;;
  esac
}

# Whether flag $2 of command $1 takes the next word.
_roborev_takes() {
  case "$1 $2" in
${cases(places.flatMap((place) => valued(place).map(({ name }) => `${place.path} ${name}`)))} ;;
  *) return 1 ;;
  esac
}

# Values of flag or argument $2 of command $1.
_roborev_values() {
  case "$1 $2" in
${sources(places).join("\n")}
  esac
}

# Commands below command $1.
_roborev_commands() {
  case "$1" in
${places
  .filter(({ words }) => words.length > 0)
  .map(({ path, words }) => lines(path, words))
  .join("\n")}
  esac
}

# Flags of command $1.
_roborev_flags() {
  case "$1" in
${places
  .filter(({ flags }) => flags.length > 0)
  .map(({ path, flags }) => lines(path, offered(flags)))
  .join("\n")}
  esac
}

# $1 the word at the cursor, then the words before it: prints what may be put there.
_roborev_candidates() {
  local current="$1" word flag='' slot=1 ended='' roborev_at=''
  shift
  for word in "$@"; do
    if [ -n "$flag" ]; then
      flag=''
    elif [ -z "$ended" ] && [ "$word" = -- ]; then
      ended=1
    elif [ -z "$ended" ] && [ "\${word#-}" != "$word" ]; then
      if _roborev_takes "$roborev_at" "$word"; then flag="$word"; fi
    elif ! _roborev_step "$roborev_at" "$word"; then
      slot=$((slot + 1))
    fi
  done
  if [ -n "$flag" ]; then
    _roborev_values "$roborev_at" "$flag"
    return 0
  fi
  case "$ended$current" in
  --*=*)
    flag="\${current%%=*}"
    _roborev_values "$roborev_at" "$flag" | while IFS= read -r word; do
      case "$word" in
      :*) ;;
      *) printf '%s=%s\\n' "$flag" "$word" ;;
      esac
    done
    ;;
  -*) _roborev_flags "$roborev_at" ;;
  *)
    _roborev_commands "$roborev_at"
    _roborev_values "$roborev_at" "$slot"
    ;;
  esac
}
`;
}

const steps = ({ path, words, aliases }: Place): string[] => {
  const names = [...words.map(({ name }) => [name, name] as const), ...aliases];
  return names.map(
    ([typed, name]) =>
      `  ${quoted(`${path} ${typed}`)}) roborev_at=${quoted(path === "" ? name : `${path} ${name}`)} ;;`,
  );
};

const valued = ({ flags }: Place) => flags.filter(({ source, bare }) => source !== undefined && !bare);

/** Short flags are understood, and not offered. */
const offered = (flags: readonly Flag[]): Word[] => flags.filter(({ name }) => name.startsWith("--"));

/** Flags by their name, arguments by their number; those beyond by any number. */
function sources(places: readonly Place[]): string[] {
  const byPlace = places.flatMap(({ path, flags, slots, rest }) => [
    ...flags.flatMap(({ name, source }): [string, Source][] =>
      source === undefined ? [] : [[quoted(`${path} ${name}`), source]],
    ),
    ...slots.map((source, index): [string, Source] => [quoted(`${path} ${index + 1}`), source]),
    ...(rest === undefined ? [] : [[`${quoted(`${path} `)}[0-9]*`, rest] as [string, Source]]),
  ]);
  return byPlace.map(([pattern, source]) => `  ${pattern}) ${printed(source)} ;;`);
}

function printed(source: Source): string {
  switch (source.from) {
    case "words":
      return `printf '%s\\n' ${source.words.map(quoted).join(" ")}`;
    case "live":
      return `command roborev completion-values ${source.kind} 2>/dev/null`;
    case "files":
      return "printf '%s\\n' :files";
    case "directories":
      return "printf '%s\\n' :directories";
    case "nowhere":
      return ":";
  }
}

const lines = (path: string, words: readonly Word[]): string =>
  `  ${quoted(path)}) printf '%s\\t%s\\n' ${words.flatMap(({ name, about }) => [quoted(name), quoted(about)]).join(" ")} ;;`;

const cases = (patterns: readonly string[]): string => `  ${patterns.map(quoted).join(" | ")})`;

const quoted = (text: string): string => (text === "" ? "''" : shellWord(text));
