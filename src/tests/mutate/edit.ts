/** A range of a text and its replacement in a mutant. Offsets in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly becomes: string;
}

/** The operator between two operands, skipping brackets, comments and line ends there. */
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

/** The offset after white space, a bracket or a comment at `at`; `at` itself if there is none. */
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

/** Operator → its replacement, similar enough that only a precise test notices. */
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

/** `1` for `0`, otherwise the number plus one; null if it is not written in plain digits. */
export function otherNumber(written: string): string | null {
  if (/^\d{1,15}$/.test(written)) return String(BigInt(written) + 1n);
  return /^\d{0,15}\.\d{1,15}$/.test(written) ? String(Number(written) + 1) : null;
}
