import { isCode } from '#code/languages/index.ts';
import type { ChangedText } from './changed-text.ts';

/** Packages that a file starts to import: `{ name: 'lodash', line: 3 }`. */
export interface PackageImport {
  readonly name: string;
  readonly line: number;
}

export function readPackageImports({
  path,
  factsBefore,
  factsAfter,
}: ChangedText): PackageImport[] | undefined {
  if (!isCode(path) || !factsAfter) return undefined;
  const isPython = /\.pyi?$/.test(path);
  const packageOf = (from: string) => (isPython ? (from.split('.')[0] ?? '') : scriptPackage(from));
  const old = new Set(factsBefore?.imports.map(({ from }) => packageOf(from)));
  const found = new Map<string, PackageImport>();
  for (const { from, line, guarded, typeOnly } of factsAfter.imports) {
    const name = packageOf(from);
    if (name !== '' && !old.has(name) && !found.has(name) && !guarded && !typeOnly)
      found.set(name, { name, line });
  }
  return [...found.values()];
}

function scriptPackage(from: string): string {
  if (/^[.#/~]|^node:|^@\//.test(from)) return '';
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
