import { testPattern } from '#lib/bounded-regexp.ts';
import type { Condition, ConditionOperator } from '#schema/workflow.ts';

export type Context = Readonly<Record<string, unknown>>;

/** Whether a condition holds. A missing or empty one does; an unset variable is no error. */
export function holds(condition: Condition | undefined, context: Context): boolean {
  if (condition === undefined) return true;
  if (condition.and) return condition.and.every((inner) => holds(inner, context));
  if (condition.or) return condition.or.some((inner) => holds(inner, context));
  if (condition.not) return !holds(condition.not, context);
  if (condition.var === undefined) return true;
  const value = Object.hasOwn(context, condition.var) ? context[condition.var] : undefined;
  for (const name of Object.keys(operators) as ConditionOperator[]) {
    if (Object.hasOwn(condition, name) && condition[name] !== undefined)
      return operators[name](value, condition[name]);
  }
  return Boolean(value);
}

/** In order of precedence: the first operator present decides. */
const operators: Readonly<Record<ConditionOperator, (value: unknown, wanted: unknown) => boolean>> = {
  equals: isSame,
  not_equals: (value, wanted) => !isSame(value, wanted),
  gt: (value, wanted) => isNumber(value) && isNumber(wanted) && value > wanted,
  gte: (value, wanted) => isNumber(value) && isNumber(wanted) && value >= wanted,
  lt: (value, wanted) => isNumber(value) && isNumber(wanted) && value < wanted,
  lte: (value, wanted) => isNumber(value) && isNumber(wanted) && value <= wanted,
  contains: (value, wanted) => plain(value).includes(plain(wanted)),
  startsWith: (value, wanted) => plain(value).startsWith(plain(wanted)),
  endsWith: (value, wanted) => plain(value).endsWith(plain(wanted)),
  matches: (value, wanted) => testPattern(String(wanted), 'i', plainCase(value)) === true,
  in: (value, wanted) => Array.isArray(wanted) && wanted.some((each) => isSame(value, each)),
};

/** Names of every variable a condition reads. */
export function variablesOf(condition: Condition | undefined): string[] {
  if (condition === undefined) return [];
  const inner = [
    ...(condition.and ?? []),
    ...(condition.or ?? []),
    ...(condition.not ? [condition.not] : []),
  ];
  return [...(condition.var === undefined ? [] : [condition.var]), ...inner.flatMap(variablesOf)];
}

const yes = new Set(['true', '1', 'yes']);
const no = new Set(['false', '0', 'no']);

function isSame(a: unknown, b: unknown): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (typeof a === 'string' && typeof b === 'string') return plain(a) === plain(b);
  if (typeof a === 'string' && typeof b === 'number') return isNumericText(a, b);
  if (typeof a === 'number' && typeof b === 'string') return isNumericText(b, a);
  if (typeof a === 'string' && typeof b === 'boolean') return isTruthText(a, b);
  if (typeof a === 'boolean' && typeof b === 'string') return isTruthText(b, a);
  return a === b;
}

function isNumericText(text: string, number: number): boolean {
  return text.trim() !== '' && Number(text) === number;
}

function isTruthText(text: string, truth: boolean): boolean {
  return (truth ? yes : no).has(plain(text));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function plain(value: unknown): string {
  return plainCase(value).toLowerCase();
}

/** Lists are compared by their entries, joined with commas. An unset variable is an empty text. */
function plainCase(value: unknown): string {
  return value === null || value === undefined ? '' : String(value).trim();
}
