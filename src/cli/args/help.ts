import { configVariables } from '#app/workplace/settings.ts';
import { wrap } from '#report/text/wrap.ts';
import { type ExitName, exitCodes, exitMeanings } from '#schema/exit-codes.ts';
import { globalOptions } from './globals.ts';
import type { CommandTable, Option, Positional } from './table.ts';

const pageWidth = 80;

interface HelpGroup {
  readonly title: string;
  readonly tables: readonly CommandTable[];
}

/** `joinery --help`. */
export function renderOverview(groups: readonly HelpGroup[], description: string): string {
  return sections([
    wrap(description, pageWidth).join('\n'),
    block('Start here', [
      ['joinery check', 'do all my unmerged branches fit together?'],
      ['joinery run spec.md', 'plan, let a crew of agents work, prove that it fits, land'],
      ['joinery ui', 'watch and steer it in a browser'],
    ]),
    'Usage: joinery [options] <command> [arguments]',
    ...commandBlocks(groups),
    block('Options', globalOptions.map(optionRow)),
    block('Exit codes', exitRows(exitMeanings)),
    'joinery <command> --help says more about a command.',
  ]);
}

/** All groups share one column width. */
function commandBlocks(groups: readonly HelpGroup[]): (string | null)[] {
  const longest = Math.max(0, ...groups.flatMap(({ tables }) => tables.map(({ name }) => name.length)));
  return groups.map(({ title, tables }) =>
    block(
      title,
      tables.map(({ name, summary }) => [name.padEnd(longest), summary]),
    ),
  );
}

/** `joinery <command> --help`. */
export function renderHelp(table: CommandTable): string {
  return sections([
    `joinery ${table.name}: ${table.summary}`,
    `Usage: ${renderUsage(table)}`,
    wrap(table.description, pageWidth).join('\n'),
    block(
      'Arguments',
      table.positionals.map((positional) => [`<${positional.name}>`, positionalText(positional)]),
    ),
    block('Options', table.options.map(optionRow)),
    block('Global options', globalOptions.map(optionRow)),
    exampleBlock(table.examples),
    block('Exit codes', exitRows(table.exitCodes)),
  ]);
}

export function renderUsage(table: CommandTable): string {
  const options = table.options.length > 0 ? ' [options]' : '';
  const places = table.positionals.reduceRight((rest, positional) => {
    const place = `<${positional.values?.join('|') ?? positional.name}>${positional.variadic ? '...' : ''}${rest}`;
    return positional.optional ? ` [${place}]` : ` ${place}`;
  }, '');
  return `joinery ${table.name}${options}${places}`;
}

/** The option as typed, and what it means with its values, default, variable and setting. */
export function optionRow(option: Option): [term: string, meaning: string] {
  const short = option.short ? `-${option.short}, ` : '    ';
  const negation = option.type === 'boolean' && option.negatable ? '[no-]' : '';
  const value =
    option.type === 'string'
      ? ` <${option.values?.join('|') ?? option.placeholder}>${option.isList ? ',...' : ''}`
      : '';
  const fallback = option.type === 'string' && option.default ? [`default: ${option.default}`] : [];
  const setting = option.config ? [`${configVariables[option.config]}, config "${option.config}"`] : [];
  const notes = [...fallback, ...setting];
  const remark = notes.length > 0 ? ` (${notes.join('; ')})` : '';
  return [`${short}--${negation}${option.name}${value}`, `${option.description}${remark}`];
}

export function exitRows(meanings: Partial<Record<ExitName, string>>): [code: string, meaning: string][] {
  return Object.entries(meanings).map(([name, meaning]) => [String(exitCodes[name as ExitName]), meaning]);
}

function positionalText({ description, values }: Positional): string {
  return values ? `${description} One of: ${values.join(', ')}.` : description;
}

function sections(parts: readonly (string | null)[]): string {
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`;
}

/** Two columns; a term too long for its column gets a separate line. */
function block(title: string, rows: readonly (readonly [string, string])[]): string | null {
  if (rows.length === 0) return null;
  const longest = Math.max(0, ...rows.map(([term]) => term.length));
  const column = Math.min(longest, 28) + 4;
  const lines = rows.flatMap(([term, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, pageWidth - column);
    const indent = ' '.repeat(column);
    const tooLong = term.length + 4 > column;
    const head = tooLong ? [`  ${term}`, `${indent}${first}`] : [`  ${term}`.padEnd(column) + first];
    return [...head, ...rest.map((line) => indent + line)];
  });
  return [`${title}:`, ...lines].join('\n');
}

function exampleBlock(examples: CommandTable['examples']): string | null {
  if (examples.length === 0) return null;
  const lines = examples.flatMap(({ command, meaning }) => [
    `  ${command}`,
    ...wrap(meaning, pageWidth - 6).map((line) => `      ${line}`),
  ]);
  return ['Examples:', ...lines].join('\n');
}
