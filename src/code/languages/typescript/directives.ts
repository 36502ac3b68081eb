import type { Facts } from '#code/facts/facts.ts';
import type { Reading } from './reading.ts';
import { Kind } from './tree/grammar.ts';

const suppression = /(?:\/\/\/?|\/\*+|^\s*\*+)\s*@ts-(?:expect-error|ignore)\b/;
const noCheck = /^(?:\/\/\/?|\/?\*+)\s*@ts-nocheck\b/;
/** Blank lines and comments may be between a suppression and its line. */
const skipped = /^(?:$|\/\/|\*\/)/;

const directive = '@ts-';

/** The lines whose errors the file suppresses for TypeScript; none for JavaScript, which fails at run time. */
export function uncheckedLines({ text, variant, lines }: Reading): NonNullable<Facts['unchecked']> {
  if (variant === 'js' || !text.includes(directive)) return [];
  if (isUncheckedFile(text)) return 'all';
  const unchecked: number[] = [];
  for (let at = text.indexOf(directive); at >= 0; ) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = endOfLine(text, start);
    if (suppression.test(text.slice(start, end)))
      unchecked.push(lines.line(start) + codeBelow(text, end + 1));
    at = text.indexOf(directive, end);
  }
  return unchecked;
}

/** How many lines below the one that ends before `start` the next code is. */
function codeBelow(text: string, start: number): number {
  let below = 1;
  let from = start;
  while (from <= text.length) {
    const end = endOfLine(text, from);
    if (!skipped.test(text.slice(from, end).trim())) break;
    from = end + 1;
    below++;
  }
  return below;
}

/** `@ts-nocheck` counts in the comments before the first statement. */
function isUncheckedFile(text: string): boolean {
  let inBlock = false;
  for (let start = 0; start <= text.length; start = endOfLine(text, start) + 1) {
    const raw = text.slice(start, endOfLine(text, start));
    const line = raw.replace(/^\uFEFF/, '').trim();
    if (line === '' || (start === 0 && line.startsWith('#!'))) continue;
    if (!inBlock && !line.startsWith('//') && !line.startsWith('/*')) return false;
    if (noCheck.test(line)) return true;
    if (!line.startsWith('//') || inBlock) inBlock = !line.includes('*/');
  }
  return false;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Starts with a word and looks behind: searching for that is many times faster than for the start of a line. */
const augmentation =
  /declare(?<=^[ \t]*(?:export[ \t]+)?declare)[ \t]+module[ \t]+(?:'([^'\n]+)'|"([^"\n]+)")/gm;

/** The modules that a file adds members to: `declare module './user' { … }`. */
export function augmentedModules({ text, tree }: Reading): string[] {
  if (!tree.contains(Kind.AmbientModule)) return [];
  return [
    ...new Set(Array.from(text.matchAll(augmentation), ([, single, double]) => single ?? double ?? '')),
  ];
}
