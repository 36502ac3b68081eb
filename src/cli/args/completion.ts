import { globalOptions } from './globals.ts';
import type { CommandTable, Option } from './table.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Lists the branches of the repository, for arguments that name one. */
const listRefs = "git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null";
const refNames = new Set(['base', 'branch', 'rev', 'ref']);

/** The shell script that completes commands, options, their values and branches. */
export function renderCompletion(shell: Shell, tables: readonly CommandTable[]): string {
  switch (shell) {
    case 'bash':
      return renderBash(tables);
    case 'zsh':
      return `#compdef joinery\nautoload -U +X bashcompinit && bashcompinit\n${renderBash(tables)}`;
    case 'fish':
      return renderFish(tables);
  }
}

function renderBash(tables: readonly CommandTable[]): string {
  const names = tables.map(({ name }) => name).join(' ');
  const words = tables.map((table) => `    ${table.name}) words="${wordsOf(table)}" ;;`);
  const values = tables.flatMap((table) =>
    table.options.flatMap((option) =>
      option.type === 'string' && option.values
        ? [`    '${table.name} --${option.name}') words="${option.values.join(' ')}" ;;`]
        : [],
    ),
  );
  const withRefs = tables.filter(takesRefs).map(({ name }) => name);
  return `# Completion of joinery, made by: joinery completion
_joinery() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" name="" word words="" last="" dir="."
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$last" in -C|--directory) dir="$word"; last=""; continue ;; esac
    last="$word"
    case "$word" in -*) ;; *) [ -n "$name" ] || name="$word" ;; esac
  done
  case "$last" in -C|--directory) COMPREPLY=($(compgen -d -- "$current")); return ;; esac
  case "$name $previous" in
${values.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$name" in
    '') words="${names} help ${optionWords(globalOptions)}" ;;
    help) words="${names}" ;;
${words.join('\n')}
    esac
    case "$name" in ${withRefs.join('|')}) case "$current" in -*) ;; *) words="$words $(cd "$dir" 2>/dev/null && ${listRefs})" ;; esac ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _joinery joinery
`;
}

function renderFish(tables: readonly CommandTable[]): string {
  const first = '__fish_use_subcommand';
  const of = (name: string) => `'__fish_seen_subcommand_from ${name}'`;
  return [
    '# Completion of joinery, made by: joinery completion',
    ...globalOptions.map((option) => `complete -c joinery ${fishOption(option)}`),
    ...tables.flatMap((table) => [
      `complete -c joinery -n ${first} -f -a ${table.name} -d ${quoted(table.summary)}`,
      ...table.options.map((option) => `complete -c joinery -n ${of(table.name)} ${fishOption(option)}`),
      ...table.positionals.flatMap(({ values }) =>
        values ? [`complete -c joinery -n ${of(table.name)} -f -a ${quoted(values.join(' '))}`] : [],
      ),
      ...(takesRefs(table)
        ? [`complete -c joinery -n ${of(table.name)} -f -a ${quoted(`(${listRefs})`)}`]
        : []),
    ]),
    '',
  ].join('\n');
}

function fishOption(option: Option): string {
  const short = option.short ? ` -s ${option.short}` : '';
  const values =
    option.type === 'string' ? (option.values ? ` -x -a ${quoted(option.values.join(' '))}` : ' -r') : '';
  return `-l ${option.name}${short}${values} -d ${quoted(option.description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function wordsOf({ options, positionals }: CommandTable): string {
  const values = positionals.flatMap((positional) => positional.values ?? []);
  return [...values, optionWords(options), optionWords(globalOptions)].filter(Boolean).join(' ');
}

function optionWords(options: readonly Option[]): string {
  return options.map(({ name }) => `--${name}`).join(' ');
}

function takesRefs({ positionals }: CommandTable): boolean {
  return positionals.some(({ name }) => refNames.has(name));
}
