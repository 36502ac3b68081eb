import { exitMeanings } from '#schema/exit-codes.ts';
import { globalOptions } from './globals.ts';
import { exitRows, optionRow, renderUsage } from './help.ts';
import type { CommandTable } from './table.ts';

/** `docs/commands.md`: the help of every command as one page. */
export function renderCommandsPage(commands: readonly CommandTable[]): string {
  const parts = [
    '# Commands',
    '<!-- Made by `npm run generate` from the tables in src/cli/commands; edits here are lost. -->',
    'Results go to stdout; progress, warnings and errors go to stderr. With `--json` stdout holds one JSON document, also when a command fails: see [`schemas/error.schema.json`](../schemas/error.schema.json).',
    ...commands.flatMap(renderCommand),
    '## Global options',
    'Every command takes these, before or after its name.',
    tableOf(['Option', 'Meaning'], globalOptions.map(optionRow).map(asCode)),
    '## Exit codes',
    'Every command uses the same.',
    tableOf(['Code', 'Meaning'], exitRows(exitMeanings).map(asCode)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderCommand(table: CommandTable): string[] {
  const positionals = table.positionals.map(({ name, description, values }): [string, string] => [
    `<${name}>`,
    values ? `${description} One of: ${values.join(', ')}.` : description,
  ]);
  const rows = [...positionals, ...table.options.map(optionRow)].map(asCode);
  return [
    `## joinery ${table.name}`,
    `${capitalise(table.summary)}.`,
    fence(renderUsage(table)),
    table.description,
    ...(rows.length > 0 ? [tableOf(['Argument or option', 'Meaning'], rows)] : []),
    fence(table.examples.map(({ command, meaning }) => `# ${meaning}\n${command}`).join('\n\n')),
    tableOf(['Exit code', 'Meaning'], exitRows(table.exitCodes).map(asCode)),
  ];
}

function asCode([term, meaning]: readonly [string, string]): [string, string] {
  // Outside code spans a renderer takes `<dir>` for HTML.
  return [`\`${term.trim()}\``, meaning.replaceAll('<', '\\<')];
}

function fence(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
