import type { Flag, Place, Word } from "./plan.ts";
import type { Source } from "./sources.ts";

/** The same for fish, whose language is its own. What a command substitution prints is offered as it is, not evaluated. */
export function fishScript(places: readonly Place[]): string {
  return `# $argv[1] the command so far, $argv[2] the next word: prints the command with it.
function __roborev_step
    switch "$argv[1] $argv[2]"
${places.flatMap(steps).join("\n")}
        case '*'
            return 1
    end
end

# Whether flag $argv[2] of command $argv[1] takes the next word.
function __roborev_takes
    switch "$argv[1] $argv[2]"
        case ${places.flatMap(({ path, flags }) => flags.filter(takesNext).map(({ name }) => quoted(`${path} ${name}`))).join(" ")}
            return 0
    end
    return 1
end

# Values of flag or argument $argv[2] of command $argv[1].
function __roborev_values
    switch "$argv[1] $argv[2]"
${places.flatMap(sources).join("\n")}
    end
end

# Commands below command $argv[1].
function __roborev_commands
    switch "$argv[1]"
${places.flatMap(({ path, words }) => table(path, words)).join("\n")}
    end
end

# Flags of command $argv[1].
function __roborev_flags
    switch "$argv[1]"
${places
  .flatMap(({ path, flags }) =>
    table(
      path,
      flags.filter(({ name }) => name.startsWith("--")),
    ),
  )
  .join("\n")}
    end
end

# Prints what may be put at the cursor.
function __roborev_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l at ''
    set -l flag ''
    set -l ended ''
    set -l slot 1
    for word in $words[2..-1]
        if test -n "$flag"
            set flag ''
        else if test -z "$ended"; and test "$word" = --
            set ended 1
        else if test -z "$ended"; and string match -q -- '-*' "$word"
            if __roborev_takes "$at" "$word"
                set flag "$word"
            end
        else if set -l next (__roborev_step "$at" "$word")
            set at "$next"
        else
            set slot (math $slot + 1)
        end
    end
    if test -n "$flag"
        __roborev_values "$at" "$flag"
    else if test -z "$ended"; and string match -q -- '--*=*' "$current"
        set -l name (string split -m 1 = -- "$current")[1]
        for value in (__roborev_values "$at" "$name")
            echo "$name=$value"
        end
    else if test -z "$ended"; and string match -q -- '-*' "$current"
        __roborev_flags "$at"
    else
        __roborev_commands "$at"
        __roborev_values "$at" "$slot"
    end
end

complete -c roborev -f -a '(__roborev_candidates)'
`;
}

const takesNext = ({ source, bare }: Flag): boolean => source !== undefined && !bare;

const steps = ({ path, words, aliases }: Place): string[] =>
  [...words.map(({ name }) => [name, name] as const), ...aliases].map(
    ([typed, name]) =>
      `        case ${quoted(`${path} ${typed}`)}\n            echo ${quoted(path === "" ? name : `${path} ${name}`)}`,
  );

function sources({ path, flags, slots, rest }: Place): string[] {
  const all = [
    ...flags.flatMap(({ name, source }): [string, Source][] =>
      source === undefined ? [] : [[name, source]],
    ),
    ...slots.map((source, index): [string, Source] => [String(index + 1), source]),
    ...(rest === undefined ? [] : [["*", rest] as [string, Source]]),
  ];
  return all.map(
    ([slot, source]) => `        case ${quoted(`${path} ${slot}`)}\n            ${printed(source)}`,
  );
}

function printed(source: Source): string {
  switch (source.from) {
    case "words":
      return `printf '%s\\n' ${source.words.map(quoted).join(" ")}`;
    case "live":
      return `command roborev completion-values ${source.kind} 2>/dev/null`;
    case "files":
      return "__fish_complete_path (commandline -ct)";
    case "directories":
      return "__fish_complete_directories (commandline -ct)";
    case "nowhere":
      return "true";
  }
}

function table(path: string, words: readonly Word[]): string[] {
  if (words.length === 0) return [];
  const cells = words.flatMap(({ name, about }) => [quoted(name), quoted(about)]);
  return [`        case ${quoted(path)}\n            printf '%s\\t%s\\n' ${cells.join(" ")}`];
}

/** In single quotes of fish only these two have to be escaped; a \`case\` reads \`*\` and \`?\` in them as wildcards. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
