import { relative } from 'node:path';
import { CheckerFailure } from '#check/typecheck/containment/containment.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { Diagnostic } from './diagnostic-keys.ts';

/**
 * Diagnostics of files in `dir`, with paths of the tree and their source lines. Those of libraries elsewhere are left out. One that names a
 * file which the tree does not have is about a file that has: `//line zzz.go:1` says another name. Nobody can tell which, so there is no
 * answer.
 */
export async function withSourceLines(
  found: readonly Diagnostic[],
  dir: string,
  tree: { blob(path: string): string | undefined },
  objects: ObjectReader,
): Promise<Diagnostic[]> {
  const lines = new Map<string, readonly string[]>();
  const placed: Diagnostic[] = [];
  for (const each of found) {
    const file = each.file.startsWith('/') ? relative(dir, each.file) : each.file.replace(/^\.\//, '');
    const blob = tree.blob(file);
    if (blob === undefined) {
      if (file.startsWith('..')) continue;
      throw new CheckerFailure(
        'crashed',
        `it reports an error in ${file}, which is not in the tree: ${each.message}`,
      );
    }
    const text = lines.get(file) ?? ((await objects.content(blob))?.toString('utf8') ?? '').split(/\r?\n/);
    lines.set(file, text);
    placed.push({ ...each, file, text: text[each.line - 1]?.trim() ?? '' });
  }
  return placed;
}
