import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typescriptLanguageOf } from './index.ts';
import type { Variant } from './reading.ts';

/** For tests: real sources, sampled evenly from the installed packages. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly variant: Variant;
}

const packages = [
  'zod',
  'vitest',
  'knip',
  'vite',
  'fast-check',
  'yaml',
  'typescript',
  '@types/node',
  'chai',
  'magic-string',
  'smol-toml',
  'oxc-parser',
];
const longest = 300_000;

export function corpus(names: RegExp, count: number): Source[] {
  const root = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
  const paths = packages.flatMap((name) => filesBelow(join(root, name), names)).sort();
  const step = Math.max(1, paths.length / count);
  const sources: Source[] = [];
  for (let i = 0; i < paths.length && sources.length < count; i += step) {
    const path = paths[Math.floor(i)] as string;
    const variant = typescriptLanguageOf(path);
    const text = readFileSync(path, 'utf8');
    if (variant !== null && text.length <= longest) sources.push({ path, text, variant });
  }
  return sources;
}

function filesBelow(folder: string, names: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, names);
    return names.test(entry.name) ? [path] : [];
  });
}
