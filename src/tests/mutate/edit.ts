/** One place of a text and what a mutant has there instead. Offsets in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly becomes: string;
}

/** An operator between two operands, where their brackets, comments and line ends stand too. */
export function operatorBetween(text: string, start: number, end: number, language: 'script' | 'python') {
  let at = start;
  while (at < end) {
    const next = skipped(text, at, end, language);
    if (next === at) break;
    at = next;
  }
  const written = (language === 'script' ? scriptOperator : pythonOperator).exec(text.slice(at, end))?.[0];
  return written === undefined ? null : { start: at, end: at + written.length, written };
}

const scriptOperator = /^(?:[=!]==?|<<=?|>>>?=?|[<>]=?|\*\*=?|&&=?|\|\|=?|\?\?=?|[-+*/%&|^]=?)/;
const pythonOperator =
  /^(?:not[ \t]{1,20}in\b|is[ \t]{1,20}not\b|(?:and|or|in|is)\b|[=!]=|<<=?|>>=?|[<>]=?|\*\*=?|\/\/=?|[-+*/%&|^@]=?)/;

/** After white space, a bracket or a comment at `at`; `at` itself where none is. */
function skipped(text: string, at: number, end: number, language: 'script' | 'python'): number {
  const unit = text[at] ?? '';
  if (/[\s()\\]/.test(unit)) return at + 1;
  if (language === 'python') return unit === '#' ? lineEnd(text, at, end) : at;
  if (unit === '!' && text[at + 1] !== '=') return at + 1;
  if (text.startsWith('//', at)) return lineEnd(text, at, end);
  if (!text.startsWith('/*', at)) return at;
  const close = text.indexOf('*/', at + 2);
  return close < 0 || close >= end ? end : close + 2;
}

function lineEnd(text: string, at: number, end: number): number {
  const found = text.indexOf('\n', at);
  return found < 0 || found > end ? end : found;
}

/** What stands for what: one other meaning each, close enough that only a test that looks can tell. */
const swaps: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '&&=': '||=',
  '||=': '&&=',
  '??=': '&&=',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '//': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
  '@': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '//=': '*=',
  '%=': '*=',
  '**=': '*=',
  '<<=': '>>=',
  '>>=': '<<=',
  '>>>=': '<<=',
  '&=': '|=',
  '|=': '&=',
  '^=': '&=',
  and: 'or',
  or: 'and',
  in: 'not in',
  is: 'is not',
};

export function swapped(operator: string): string | null {
  const plain = operator.replace(/\s+/g, ' ');
  if (plain === 'not in' || plain === 'is not') return plain === 'not in' ? 'in' : 'is';
  return Object.hasOwn(swaps, plain) ? (swaps[plain] ?? null) : null;
}

/** `1` for `0`, one more for any other; null of a number that is not written in digits alone. */
export function otherNumber(written: string): string | null {
  if (/^\d{1,15}$/.test(written)) return String(BigInt(written) + 1n);
  return /^\d{0,15}\.\d{1,15}$/.test(written) ? String(Number(written) + 1) : null;
}
