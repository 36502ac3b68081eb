import { hash } from 'node:crypto';
import { similarity } from '#code/lex/text-shape.ts';

const token =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\d[\w.]*|[A-Za-z_$][\w$]*|=>|[^\s\w]/g;
const comments =
  /\/\*[\s\S]{0,1000}?\*\/|(?<![:"'])\/\/[^\n]*|(?<=^|\s)#[^\n]*|"""[\s\S]{0,1000}?"""|'''[\s\S]{0,1000}?'''/g;
const dropped = new Set(['export', 'default', ';', 'const', 'let', 'var', 'def', 'function', 'pass']);
const kept = new Set(
  'if else for while return new await async yield throw raise try catch except finally switch case match in of is not and or None null undefined True False true false this self super with as from import class lambda typeof instanceof break continue do delete void'.split(
    ' ',
  ),
);

/** Tokens in one spelling: quotes, punctuation at line ends and words that only introduce a name do not count. */
function tokensOf(text: string): string[] {
  const found: string[] = [];
  for (const [raw] of text.replace(comments, ' ').matchAll(token)) {
    if (dropped.has(raw)) continue;
    if (raw.startsWith('`')) found.push(...tokensOfTemplate(raw));
    else found.push(/^["']/.test(raw) ? `"${raw.slice(1, -1)}"` : raw);
  }
  // `(x) => …` and `x => …` are the same.
  return found.filter((each, at) => {
    if (each === '(' && found[at + 2] === ')' && found[at + 3] === '=>') return false;
    if (each === ')' && found[at - 2] === '(' && found[at + 1] === '=>') return false;
    return !(each === ',' && /^[)\]}]$/.test(found[at + 1] ?? ''));
  });
}

/** Its text and its placeholders: `${total} rows` contains the local name `total`. */
function tokensOfTemplate(raw: string): string[] {
  const places = [...raw.matchAll(/\$\{([^{}`]*)\}/g)];
  const text = raw.slice(1, -1).replace(/\$\{[^{}`]*\}/g, '$');
  return [`"${text}"`, ...places.flatMap(([, code = '']) => code.match(token) ?? [])];
}

/** `row.value`, `{ value: 1 }`; not `{ value := 1`. */
function isMember(tokens: readonly string[], at: number): boolean {
  if (tokens[at - 1] === '.') return true;
  return tokens[at - 1] === '{' && tokens[at + 1] === ':' && tokens[at + 2] !== '=';
}

/** A name that is local to this piece of code: not a member, not called, not a type. */
function isLocalName(tokens: readonly string[], at: number): boolean {
  const each = tokens[at] ?? '';
  if (!/^[a-z_$]/.test(each) || kept.has(each)) return false;
  return !isMember(tokens, at) && tokens[at + 1] !== '(';
}

/** The shape of a piece of code, independent of its names. */
export interface CloneShape {
  readonly tokens: number;
  /** Equal for pieces that differ only in the names of their locals. */
  readonly hash: string;
  /** The smallest hashes of five consecutive tokens, ascending. */
  readonly sketch: readonly number[];
  /** A sample of all of them: tells how much of the piece another text contains. */
  readonly marks: readonly number[];
}

export function cloneShape(text: string, ownName: string): CloneShape {
  const tokens = tokensOf(text).filter((each) => each !== ownName);
  const numbers = new Map<string, number>();
  const renamed = tokens.map((each, at) => {
    // `row.value` and `{ value: 1 }` stay even if `value` is a parameter.
    if (isMember(tokens, at) || (!isLocalName(tokens, at) && !numbers.has(each))) return each;
    const known = numbers.get(each) ?? numbers.size;
    numbers.set(each, known);
    return `$${known}`;
  });
  // A parameter that is called is also a name of this piece.
  const plain = renamed.map((each) => (each.startsWith('$') ? '$' : each));
  return {
    tokens: tokens.length,
    hash: hash('sha1', renamed.join(' ')).slice(0, 16),
    sketch: [...new Set(runsOf(plain))].sort((a, b) => a - b).slice(0, sketchSize),
    marks: marksOf(shinglesOf(tokens)),
  };
}

/** How much of their code two pieces share, from 0 to 1. */
export function likeness(a: CloneShape, b: CloneShape): number {
  return similarity(a.sketch, b.sketch, sketchSize);
}

/** The sample of a text of any length. */
export function marksIn(text: string): number[] {
  return marksOf(shinglesOf(tokensOf(text))).slice(0, mostMarks);
}

const mostMarks = 2000;
const width = 5;
/** A smaller sample misses every third function of 100 tokens with one added line. */
const sketchSize = 64;

function shinglesOf(tokens: readonly string[]): number[] {
  return runsOf(tokens.map((each, at) => (isLocalName(tokens, at) ? '$' : each)));
}

function runsOf(plain: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at + width <= plain.length; at++) found.push(code(plain, at));
  return found;
}

function marksOf(shingles: readonly number[]): number[] {
  return [...new Set(shingles)].filter((each) => each % 4 === 0);
}

/** A hash of the tokens from `first` on, with a space after each but the last. */
function code(tokens: readonly string[], first: number): number {
  let value = 0x811c9dc5;
  for (let each = first; each < first + width; each++) {
    if (each > first) value = Math.imul(value ^ 0x20, 0x01000193);
    const token = tokens[each] ?? '';
    for (let at = 0; at < token.length; at++) value = Math.imul(value ^ token.charCodeAt(at), 0x01000193);
  }
  value ^= value >>> 15;
  return value >>> 0;
}
