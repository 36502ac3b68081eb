import type { Facts } from '../../facts.ts';
import type { Dialect, Reading } from './reading.ts';
import { Flag } from './tree/grammar.ts';

const SUPPRESSION = /(?:\/\/\/?|\/\*+|^\s*\*+)\s*@ts-(?:expect-error|ignore)\b/;
const NO_CHECK = /^(?:\/\/\/?|\/?\*+)\s*@ts-nocheck\b/;
/** Between a suppression and the line it is meant for there may be blank lines and further comments. */
const SKIPPED = /^(?:$|\/\/|\*\/)/;

/** The lines whose errors the file asks TypeScript to keep to itself; nothing of JavaScript, which fails when it runs. */
export function uncheckedLines(text: string, dialect: Dialect): NonNullable<Facts['unchecked']> {
  if (dialect === 'js' || !text.includes('@ts-')) return [];
  const lines = text.split('\n');
  if (isUncheckedFile(lines)) return 'all';
  return lines.flatMap((line, index) => {
    if (!SUPPRESSION.test(line)) return [];
    let next = index + 1;
    while (next < lines.length && SKIPPED.test((lines[next] as string).trim())) next++;
    return [next + 1];
  });
}

/** `@ts-nocheck` counts in the comments before the first statement. */
function isUncheckedFile(lines: readonly string[]): boolean {
  let inBlock = false;
  for (const [index, raw] of lines.entries()) {
    const line = raw.replace(/^\uFEFF/, '').trim();
    if (line === '' || (index === 0 && line.startsWith('#!'))) continue;
    if (!inBlock && !line.startsWith('//') && !line.startsWith('/*')) return false;
    if (NO_CHECK.test(line)) return true;
    if (!line.startsWith('//') || inBlock) inBlock = !line.includes('*/');
  }
  return false;
}

/** Begins with a word and looks back from there: that is searched for many times faster than the start of a line. */
const AUGMENTATION =
  /declare(?<=^[ \t]*(?:export[ \t]+)?declare)[ \t]+module[ \t]+(?:'([^'\n]+)'|"([^"\n]+)")/gm;

/** The modules that a file declares more members for: `declare module './user' { … }`. */
export function augmentedModules({ text, tree }: Reading): string[] {
  if ((tree.allFlags & Flag.declare) === 0) return [];
  return [
    ...new Set(Array.from(text.matchAll(AUGMENTATION), ([, single, double]) => single ?? double ?? '')),
  ];
}
