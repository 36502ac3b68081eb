import { posix } from 'node:path';

/** The imports of a text, as far as its lines show. */
export function importsOf(text: string): { from: string; names: string[] }[] {
  // Piece by piece: one search over the whole text would start again at every `import`.
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

/** Whether a specifier can mean a file: `./users.service` and `shop.users.service` for `users.service.ts`. */
export function isModule(specifier: string, file: string): boolean {
  return `/${specifier.replace(/\.[cm]?[jt]sx?$/, '')}`
    .replaceAll('.', '/')
    .endsWith(`/${endOf(file).replaceAll('.', '/')}`);
}

/** How specifiers of a file end: `users` for `users.ts`, `users/index.ts` and `users/__init__.py`. */
export function endOf(file: string): string {
  const stem = posix.basename(file).replace(/\.\w+$/, '');
  return stem === 'index' || stem === '__init__' ? posix.basename(posix.dirname(file)) : stem;
}
