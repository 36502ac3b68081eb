import { parseArgs } from 'node:util';
import { nearest } from '#lib/nearest.ts';
import { UsageError } from '#schema/errors.ts';
import { type Globals, globalOptions } from './globals.ts';
import type { CommandTable, Option, OptionValues, Positional } from './table.ts';

export interface Parsed<Table extends CommandTable> {
  readonly options: OptionValues<Table['options']>;
  readonly globals: Globals;
  readonly positionals: readonly string[];
}

/** The command's name and the other words, including global options before the name. */
export function splitCommand(argv: readonly string[]): { name: string | null; rest: readonly string[] } {
  const takesNext = new Set(
    globalOptions.flatMap((option) =>
      option.type === 'string' ? [`--${option.name}`, `-${option.short}`] : [],
    ),
  );
  const at = argv.findIndex((word, index) => !word.startsWith('-') && !takesNext.has(argv[index - 1] ?? ''));
  const name = argv[at];
  return name === undefined ? { name: null, rest: argv } : { name, rest: argv.toSpliced(at, 1) };
}

/** The error for an unknown command; without any name, the first unknown option is reported. */
export function unknownCommand(
  name: string | null,
  rest: readonly string[],
  known: readonly string[],
): UsageError {
  const hint = 'joinery --help';
  const option = rest.find((word) => word.startsWith('-'));
  const names = globalOptions.flatMap((each) =>
    'short' in each ? [`--${each.name}`, `-${each.short}`] : [`--${each.name}`],
  );
  if (name === null && option !== undefined && !names.includes(option)) {
    return new UsageError({ code: 'unknown-option', message: unknownText('option', option, names), hint });
  }
  if (name === null)
    return new UsageError({ code: 'missing-command', message: 'a command is missing', hint });
  return new UsageError({ code: 'unknown-command', message: unknownText('command', name, known), hint });
}

/** Whether errors are printed as JSON; decided before parsing, because parsing itself can fail. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.some(
    (word, index) =>
      word === '--json' || word === '--format=json' || (word === 'json' && words[index - 1] === '--format'),
  );
}

export function parseCommandLine<Table extends CommandTable>(
  table: Table,
  words: readonly string[],
): Parsed<Table> {
  const known: readonly Option[] = [...table.options, ...globalOptions];
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(known.flatMap(declare)),
    strict: false,
    tokens: true,
  });
  const typed: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option')
      Object.assign(typed, readOption(withEarlier(token, typed, known), known, table.name));
  }
  checkPositionals(table, positionals);
  const withDefaults = { ...defaultsOf(table.options), ...typed };
  return {
    options: withDefaults as OptionValues<Table['options']>,
    globals: typed as unknown as Globals,
    positionals,
  };
}

type Declaration = [name: string, { type: 'string' | 'boolean'; short?: string }];

function declare(option: Option): Declaration[] {
  const declared: Declaration = [
    option.name,
    { type: option.type, ...(option.short ? { short: option.short } : {}) },
  ];
  return isNegatable(option) ? [declared, [`no-${option.name}`, { type: 'boolean' }]] : [declared];
}

function isNegatable(option: Option): boolean {
  return option.type === 'boolean' && option.negatable === true;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** A list that is given twice is one list: `--confirm types --confirm tests`. */
function withEarlier(
  token: OptionToken,
  typed: Readonly<Record<string, string | boolean>>,
  known: readonly Option[],
): OptionToken {
  const option = known.find(({ name }) => name === token.name);
  const earlier = typed[token.name];
  if (option?.type !== 'string' || typeof earlier !== 'string' || !token.value) return token;
  if (option.isRepeatable) return { ...token, value: `${earlier}\n${token.value}` };
  return option.isList ? { ...token, value: `${earlier},${token.value}` } : token;
}

function readOption(
  token: OptionToken,
  known: readonly Option[],
  command: string,
): Record<string, string | boolean> {
  const hint = `joinery ${command} --help`;
  const option = known.find(({ name }) => name === token.name);
  const negated = known.find((each) => isNegatable(each) && `no-${each.name}` === token.name);
  const complain = (code: string, message: string) => new UsageError({ code, message, hint });

  if (!option && !negated) {
    const names = known.flatMap((each) => declare(each).map(([name]) => `--${name}`));
    throw complain('unknown-option', unknownText('option', token.rawName, names));
  }
  if (option?.type !== 'string') {
    if (token.value !== undefined)
      throw complain('unexpected-value', `option ${token.rawName} takes no value`);
    return option ? { [option.name]: true } : { [(negated as Option).name]: false };
  }
  const { value } = token;
  // `--base --strict` is a forgotten value far more often than a branch named `--strict`.
  const isForgotten = value === undefined || value === '' || (!token.inlineValue && /^-./.test(value));
  if (isForgotten) {
    throw complain(
      'missing-value',
      `option ${token.rawName} needs a value: ${token.rawName} <${option.placeholder}>`,
    );
  }
  const { values } = option;
  const words = option.isList ? value.split(',').map((word) => word.trim()) : [value];
  const wrong = values && words.find((word) => !values.includes(word));
  if (values && wrong !== undefined) {
    throw complain(
      'bad-value',
      `option ${token.rawName} cannot be "${wrong}"; it is ${orList(values)}${suggestion(wrong, values)}`,
    );
  }
  if (words.length > 1 && words.includes('none'))
    throw complain('bad-value', `option ${token.rawName}: "none" cannot be combined`);
  return { [option.name]: value };
}

function checkPositionals(table: CommandTable, given: readonly string[]): void {
  const hint = `joinery ${table.name} --help`;
  const complain = (code: string, message: string) => new UsageError({ code, message, hint });
  // Report the misspelt word, not the missing argument after it.
  for (const [index, { name, values }] of table.positionals.entries()) {
    const value = given[index];
    if (value === undefined || !values || values.includes(value)) continue;
    throw complain(
      'bad-value',
      `<${name}> cannot be "${value}"; it is ${orList(values)}${suggestion(value, values)}`,
    );
  }
  const missing = table.positionals.find(
    (positional, index) => !positional.optional && given[index] === undefined,
  );
  if (missing) throw complain('missing-argument', `${table.name} needs ${describe(missing)}`);

  const takesMore = table.positionals.at(-1)?.variadic === true;
  const extra = given[table.positionals.length];
  if (extra !== undefined && !takesMore) {
    throw complain('unexpected-argument', `${table.name} does not know what to do with "${extra}"`);
  }
}

function describe({ name, values }: Positional): string {
  return values ? `<${name}>: ${orList(values)}` : `<${name}>`;
}

function defaultsOf(options: readonly Option[]): Record<string, string> {
  return Object.fromEntries(
    options.flatMap((option) =>
      option.type === 'string' && option.default !== undefined ? [[option.name, option.default]] : [],
    ),
  );
}

function orList(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function unknownText(kind: string, word: string, known: readonly string[]): string {
  return `unknown ${kind} "${word}"${suggestion(word, known)}`;
}

function suggestion(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant ? `; did you mean "${meant}"?` : '';
}
