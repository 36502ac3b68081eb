import { posix } from 'node:path';

/** What a text imports, as far as its lines tell. */
export function importsOf(text: string): { from: string; names: string[] }[] {
  // Piece by piece: one search over the whole text would begin again at every `import`.
  const script = text
    .split(/\bimport\s/)
    .slice(1)
    .flatMap(importIn);
  const python = text.matchAll(/^from\s+([\w.]+)\s+import\s+([\w, ()*]+)/gm);
  return [...script, ...[...python].map(([, from = '', what = '']) => ({ from, names: wordsOf(what) }))];
}

/** `type { A, B } from './c.ts';` and what follows. */
function importIn(piece: string): { from: string; names: string[] }[] {
  const end = piece.search(/\bfrom\s+["']/);
  const what = end < 0 ? '' : piece.slice(0, end).replace(/^\s*type\s/, '');
  const [, from] = /^from\s+["']([^"'\n]+)["']/.exec(piece.slice(end)) ?? [];
  return from !== undefined && /^[\w*{}\s,]+$/.test(what) ? [{ from, names: wordsOf(what) }] : [];
}

function wordsOf(text: string): string[] {
  return text.match(/\w+/g) ?? [];
}

/** Whether a specifier can mean a file: the last part of both is the same. */
export function isModule(specifier: string, file: string): boolean {
  const stem = posix.basename(file).replace(/\.\w+$/, '');
  const own = stem === 'index' || stem === '__init__' ? posix.basename(posix.dirname(file)) : stem;
  const wanted = specifier
    .replace(/\.[cm]?[jt]sx?$/, '')
    .split(/[./]/)
    .at(-1);
  return wanted === own;
}
